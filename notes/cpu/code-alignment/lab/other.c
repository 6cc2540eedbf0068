/* Code that has nothing to do with words, and lies in front of it. One edit adds a function. */
unsigned scramble(unsigned x)
{
    return (x ^ x >> 7) * 2654435761u;
}

unsigned fold(unsigned x)
{
    return (x >> 16) + (x & 0xffff);
}

int sign(int x)
{
    return (x > 0) - (x < 0);
}

#ifdef ONE_MORE
unsigned one_more(unsigned x)
{
    return x * 3 + 1;
}
#endif
