/* A static library in two versions; NUMBER says which. */
int parse_version(void)
{
    return NUMBER;
}
