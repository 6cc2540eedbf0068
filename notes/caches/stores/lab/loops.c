/* Loops that a compiler may replace by a call, and copies whose size it knows. Compiled, not run. */
#include <stddef.h>
#include <string.h>

void zero(char *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = 0;
}

void copy(char *restrict to, const char *restrict from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
}

/* The two areas may overlap: each byte read may be one that the loop has written. */
void copy_any(char *to, const char *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
}

/* Moves the elements down by one, as an erase from a vector does. */
void down(int *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] = a[i + 1];
}

void fixed_16(char *to, const char *from) { memcpy(to, from, 16); }

void fixed_64(char *to, const char *from) { memcpy(to, from, 64); }

void fixed_1024(char *to, const char *from) { memcpy(to, from, 1024); }

void any_size(char *to, const char *from, size_t n) { memcpy(to, from, n); }
