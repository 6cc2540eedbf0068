/* One thread allocates blocks and frees all of them; while it lives, a second thread allocates blocks
   of another size that together need less. Prints the resident memory after the freeing and at the
   end, less that of the start, as a JSON object.

   Usage: handed BLOCKS FIRST_SIZE SECOND_SIZE */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_barrier_t attached, freed, done;
static long blocks, first_size, second_size, start, first, second;

static void fail(const char *why)
{
    fprintf(stderr, "handed: %s\n", why);
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

/* Before any thread goes on, each has allocated once, and so has an arena where there are some. */
static void attach(void)
{
    void *volatile once = malloc(1);
    free(once);
    pthread_barrier_wait(&attached);
}

static void *frees(void *unused)
{
    attach();
    start = resident();
    char **made = block(blocks * sizeof *made);
    for (long i = 0; i < blocks; i++)
        made[i] = block(first_size);
    for (long i = 0; i < blocks; i++)
        free(made[i]);
    free(made);
    first = resident() - start;
    pthread_barrier_wait(&freed);
    pthread_barrier_wait(&done);
    return unused;
}

static void *allocates(void *unused)
{
    attach();
    pthread_barrier_wait(&freed);
    for (long left = blocks * first_size * 85 / 100; left > second_size; left -= second_size)
        block(second_size);
    second = resident() - start;
    pthread_barrier_wait(&done);
    return unused;
}

static long parse(const char *text)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (*end || number < 1 || number > 1L << 24)
        fail("a number is missing or out of range");
    return number;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        fail("usage: handed BLOCKS FIRST_SIZE SECOND_SIZE");
    blocks = parse(argv[1]);
    first_size = parse(argv[2]);
    second_size = parse(argv[3]);
    pthread_t one, two;
    if (pthread_barrier_init(&attached, 0, 2) || pthread_barrier_init(&freed, 0, 2) ||
        pthread_barrier_init(&done, 0, 2) || pthread_create(&one, 0, frees, 0) ||
        pthread_create(&two, 0, allocates, 0))
        fail("no threads");
    pthread_join(one, 0);
    pthread_join(two, 0);
    printf("{\"first\": %ld, \"second\": %ld}\n", first, second);
    return 0;
}
