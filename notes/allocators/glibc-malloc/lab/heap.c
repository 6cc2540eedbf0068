/* What malloc of glibc takes from the kernel, keeps and gives back.

   heap sizes BYTES ...            usable size of each request, and how far its neighbour begins
   heap cycle SIZE COUNT           COUNT times: malloc(SIZE), write one byte in each page, free
   heap hold SIZE COUNT            COUNT times malloc(SIZE), nothing freed
   heap keep SIZE COUNT WHICH      the same, then frees all but WHICH: none, last, everyN (each N-th);
                                   backwards frees all, the last first; prints what is resident
                                   before and after malloc_trim(0)
   heap threads COUNT SIZE BLOCKS  COUNT threads that each hold BLOCKS blocks, free them and end;
                                   COUNT 0 means twice the limit of arenas
   heap pairs SIZE COUNT           COUNT times malloc(SIZE) and free, in the function pairs

   cycle and hold stand between marks for strace; keep and threads print a JSON object. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fail(const char *why)
{
    fprintf(stderr, "heap: %s\n", why);
    exit(1);
}

static long parse(const char *text, long least)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (*end || number < least || number > 1L << 30)
        fail("a number is missing or out of range");
    return number;
}

/* Bytes resident, and bytes of address space; without stdio, whose buffer is a block too. */
static long memory(int mapped)
{
    char text[100];
    long total, resident;
    int file = open("/proc/self/statm", O_RDONLY);
    ssize_t got = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (got < 1)
        fail("cannot read /proc/self/statm");
    close(file);
    text[got] = 0;
    if (sscanf(text, "%ld %ld", &total, &resident) != 2)
        fail("cannot understand /proc/self/statm");
    return (mapped ? total : resident) * sysconf(_SC_PAGESIZE);
}

static void mark(const char *name)
{
    /* Fails on purpose: only to be seen by strace. */
    if (write(-1, name, strlen(name)) != -1)
        fail("a mark was written");
}

static char *block(long size)
{
    char *made = malloc(size);
    if (!made)
        fail("no memory");
    long page = sysconf(_SC_PAGESIZE);
    for (long at = 0; at < size; at += page)
        ((volatile char *)made)[at] = 1;
    ((volatile char *)made)[size - 1] = 1;
    return made;
}

/* Places for pointers, touched, in memory that malloc never sees. */
static char **places(long count)
{
    static char *all[1 << 21];
    if (count > (long)(sizeof all / sizeof *all))
        fail("too many blocks");
    memset(all, 1, count * sizeof *all);
    return all;
}

static void sizes(int count, char **texts)
{
    printf("%9s %9s %9s\n", "request", "usable", "apart");
    for (int i = 0; i < count; i++) {
        long size = parse(texts[i], 1);
        char *first = block(size), *second = block(size);
        long apart = second > first ? second - first : first - second;
        printf("%9ld %9zu %9ld\n", size, malloc_usable_size(first), apart);
    }
}

static void cycle(long size, long count)
{
    mark("perfnotes:begin");
    for (long i = 0; i < count; i++)
        free(block(size));
    mark("perfnotes:end");
}

static void hold(long size, long count)
{
    char **all = places(count);
    mark("perfnotes:begin");
    for (long i = 0; i < count; i++)
        all[i] = block(size);
    mark("perfnotes:end");
}

static void keep(long size, long count, const char *which)
{
    long every = 0;
    if (!strncmp(which, "every", 5))
        every = parse(which + 5, 2);
    else if (strcmp(which, "none") && strcmp(which, "last") && strcmp(which, "backwards"))
        fail("WHICH is none, last, backwards, or every with a number");
    char **all = places(count);
    long start = memory(0);
    for (long i = 0; i < count; i++)
        all[i] = block(size);
    long made = memory(0);
    long kept = 0;
    for (long turn = 0; turn < count; turn++) {
        long i = *which == 'b' ? count - 1 - turn : turn;
        if ((every && i % every == 0) || (*which == 'l' && i == count - 1))
            kept++;
        else
            free(all[i]);
    }
    long freed = memory(0);
    struct mallinfo2 info = mallinfo2();
    int released = malloc_trim(0);
    long trimmed = memory(0);
    printf("{\"made\": %ld, \"freed\": %ld, \"trimmed\": %ld, \"released\": %d, \"kept\": %ld, "
           "\"heap\": %zu, \"in_use\": %zu, \"free\": %zu, \"fast\": %zu, \"top\": %zu}\n",
           made - start, freed - start, trimmed - start, released, kept * size, info.arena,
           info.uordblks, info.fordblks, info.fsmblks, info.keepcost);
}

struct crew {
    pthread_barrier_t step;
    pthread_mutex_t turn;
    long size, blocks, next;
    char **places;
};

static void *worker(void *argument)
{
    struct crew *crew = argument;
    char **mine = crew->places + crew->blocks * __atomic_fetch_add(&crew->next, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&crew->turn);            /* one after the other, so that it comes out the same */
    for (long i = 0; i < crew->blocks; i++)
        mine[i] = block(crew->size);
    pthread_mutex_unlock(&crew->turn);
    pthread_barrier_wait(&crew->step);          /* all hold their blocks */
    pthread_barrier_wait(&crew->step);          /* main has looked */
    for (long i = 0; i < crew->blocks; i++)
        free(mine[i]);
    pthread_barrier_wait(&crew->step);          /* all have freed */
    pthread_barrier_wait(&crew->step);
    return NULL;
}

static long arenas(void)
{
    static char text[1 << 20];
    FILE *out = fmemopen(text, sizeof text, "w");
    if (!out || malloc_info(0, out))
        fail("malloc_info does not answer");
    fclose(out);
    long found = 0;
    for (const char *at = text; (at = strstr(at, "<heap nr=")); at++)
        found++;
    return found;
}

static void threads(long count, long size, long blocks)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (!count)
        count = 16 * cores;
    if (count > 1024)
        fail("too many threads");
    static struct crew crew;
    static pthread_t ids[1024];
    crew.size = size;
    crew.blocks = blocks;
    crew.places = places(count * blocks);
    pthread_mutex_init(&crew.turn, NULL);
    pthread_barrier_init(&crew.step, NULL, count + 1);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    long start = memory(0), mapped = memory(1);
    for (long i = 0; i < count; i++)
        if (pthread_create(&ids[i], &small, worker, &crew))
            fail("cannot start a thread");
    pthread_barrier_wait(&crew.step);
    long held = memory(0), address = memory(1), found = arenas();
    pthread_barrier_wait(&crew.step);
    pthread_barrier_wait(&crew.step);
    long freed = memory(0);
    pthread_barrier_wait(&crew.step);
    for (long i = 0; i < count; i++)
        pthread_join(ids[i], NULL);
    long ended = memory(0), left = arenas();
    malloc_trim(0);
    printf("{\"cores\": %ld, \"threads\": %ld, \"arenas\": %ld, \"left\": %ld, \"held\": %ld, "
           "\"address\": %ld, \"freed\": %ld, \"ended\": %ld, \"trimmed\": %ld}\n",
           cores, count, found, left, held - start, address - mapped, freed - start,
           ended - start, memory(0) - start);
}

__attribute__((noinline)) static void pairs(long size, long count)
{
    for (long i = 0; i < count; i++) {
        char *volatile made = malloc(size);
        free(made);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "sizes") && argc > 2)
        sizes(argc - 2, argv + 2);
    else if (!strcmp(what, "cycle") && argc == 4)
        cycle(parse(argv[2], 1), parse(argv[3], 1));
    else if (!strcmp(what, "hold") && argc == 4)
        hold(parse(argv[2], 1), parse(argv[3], 1));
    else if (!strcmp(what, "keep") && argc == 5)
        keep(parse(argv[2], 1), parse(argv[3], 1), argv[4]);
    else if (!strcmp(what, "threads") && argc == 5)
        threads(parse(argv[2], 0), parse(argv[3], 1), parse(argv[4], 1));
    else if (!strcmp(what, "pairs") && argc == 4)
        pairs(parse(argv[2], 1), parse(argv[3], 1));
    else
        fail("usage: heap sizes|cycle|hold|keep|threads|pairs ...; see the source");
    return 0;
}
