/* A library with a variable that programs may read. */
int level = 1;

void set_level(int value)
{
    level = value;
}
