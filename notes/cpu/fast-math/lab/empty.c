/* A library whose code has no floating point at all. */
int nothing(void)
{
    return 0;
}
