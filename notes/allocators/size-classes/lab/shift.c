/* A program whose block size changes: allocates many small blocks, frees all but one in KEEP,
   then allocates blocks of another size that together need less than was freed. Prints what the
   first phase added to the resident memory, and both phases together, as a JSON object.

   Usage: shift BLOCKS FIRST_SIZE KEEP SECOND_SIZE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fail(const char *why)
{
    fprintf(stderr, "shift: %s\n", why);
    exit(1);
}

static long resident(void)
{
    long total, pages;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &total, &pages) != 2)
        fail("cannot read /proc/self/statm");
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static void *block(size_t size)
{
    void *made = malloc(size);
    if (!made)
        fail("no memory");
    memset(made, 1, size);
    return made;
}

static long parse(const char *text, long least)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (*end || number < least || number > 1L << 24)
        fail("a number is missing or out of range");
    return number;
}

int main(int argc, char **argv)
{
    if (argc != 5)
        fail("usage: shift BLOCKS FIRST_SIZE KEEP SECOND_SIZE");
    long blocks = parse(argv[1], 1), first_size = parse(argv[2], 1);
    long keep = parse(argv[3], 2), second_size = parse(argv[4], 1);
    long freed = (blocks - (blocks + keep - 1) / keep) * first_size;
    long wanted = freed * 85 / 100 / second_size;       /* leaves room for headers and rounding */
    char **first = block(blocks * sizeof *first);
    char **second = block((wanted + 1) * sizeof *second);
    long start = resident();

    for (long i = 0; i < blocks; i++)
        first[i] = block(first_size);
    long before = resident();
    for (long i = 0; i < blocks; i++)
        if (i % keep)
            free(first[i]);
    for (long i = 0; i < wanted; i++)
        second[i] = block(second_size);
    long after = resident();

    for (long i = 0; i < blocks; i += keep)
        if (first[i][0] != 1)
            fail("a block that was kept has changed");
    printf("{\"first\": %ld, \"second\": %ld}\n", before - start,
           after - start);
    return 0;
}
