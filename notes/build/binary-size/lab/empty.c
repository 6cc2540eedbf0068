/* The smallest program: what is left of it is start-up code of the C library. */
int main(void)
{
    return 0;
}
