/* A shared library that has the static one inside; FUNCTION is its only own function. */
int parse_version(void);

int FUNCTION(void)
{
    return parse_version();
}
