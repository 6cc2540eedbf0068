/* What an allocator takes beyond what was asked of it. The allocator is whichever is preloaded.

   costs life BLOCKS           the life of a heap: fills it with small blocks, exchanges half of them,
                               at random, for larger ones, frees nine of ten, frees all; prints at
                               each point the bytes requested, usable and resident
   costs each SIZE COUNT       resident bytes for each of COUNT blocks of SIZE bytes
   costs lines SIZE COUNT      two threads allocate in turns, COUNT blocks each: cache lines that
                               hold bytes of both
   costs crew THREADS BLOCKS   THREADS threads, one after the other, allocate BLOCKS small blocks and
                               free them, and stay alive: what is resident for each
   costs churn THREADS SIZE STEPS  THREADS threads that each free and allocate in a ring of 100
                               blocks of SIZE bytes

   Random numbers come out the same everywhere. Each but churn prints a JSON object. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOTS (1 << 21)
#define LINE 64

static char *slots[SLOTS];
static uint32_t asked[SLOTS];
static uint64_t state = 88172645463325252u;

static void fail(const char *why)
{
    fprintf(stderr, "costs: %s\n", why);
    exit(1);
}

static long parse(const char *text, long most)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (*end || number < 1 || number > most)
        fail("a number is missing or out of range");
    return number;
}

static long resident(void)
{
    char text[100];
    long total, pages;
    int file = open("/proc/self/statm", O_RDONLY);
    ssize_t got = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (got < 1)
        fail("cannot read /proc/self/statm");
    close(file);
    text[got] = 0;
    if (sscanf(text, "%ld %ld", &total, &pages) != 2)
        fail("cannot understand /proc/self/statm");
    return pages * sysconf(_SC_PAGESIZE);
}

/* xorshift64: a random number below the limit. */
static uint32_t draw(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 32) * limit >> 32);
}

static char *make(size_t size)
{
    char *made = malloc(size);
    if (!made)
        fail("no memory");
    memset(made, 1, size);
    return made;
}

static void put(long at, uint32_t size)
{
    slots[at] = make(size);
    asked[at] = size;
}

static void drop(long at)
{
    free(slots[at]);
    slots[at] = NULL;
    asked[at] = 0;
}

static void tell(const char *when, long blocks, long start)
{
    long requested = 0, usable = 0;
    for (long i = 0; i < blocks; i++)
        if (slots[i]) {
            requested += asked[i];
            usable += (long)malloc_usable_size(slots[i]);
        }
    printf("\"%s_requested\": %ld, \"%s_usable\": %ld, \"%s_resident\": %ld", when, requested, when,
           usable, when, resident() - start);
}

static void life(long blocks)
{
    memset(slots, 0, sizeof slots);
    memset(asked, 1, sizeof asked);             /* their pages are there before the start */
    long start = resident();
    for (long i = 0; i < blocks; i++) {
        uint32_t base = 8u << draw(5);          /* 8 to 255 bytes */
        put(i, base + draw(base));
    }
    printf("{");
    tell("filled", blocks, start);
    for (long i = 0; i < blocks; i++)
        if (draw(2)) {
            drop(i);
            put(i, 256 + draw(256));            /* 256 to 511 bytes */
        }
    printf(", ");
    tell("shifted", blocks, start);
    for (long i = 0; i < blocks; i++)
        if (draw(10))
            drop(i);
    printf(", ");
    tell("sparse", blocks, start);
    for (long i = 0; i < blocks; i++)
        drop(i);
    printf(", ");
    tell("empty", blocks, start);
    printf("}\n");
}

static void each(long size, long count)
{
    if (count > SLOTS)
        fail("too many blocks");
    memset(slots, 1, count * sizeof *slots);
    long start = resident();
    for (long i = 0; i < count; i++)
        slots[i] = make(size);
    printf("{\"usable\": %zu, \"resident\": %.3f}\n", malloc_usable_size(slots[0]),
           (double)(resident() - start) / count);
}

static pthread_barrier_t turn;

struct task {
    pthread_t id;
    long first, size, count, steps;
    int number;
};

static void *allocate(void *argument)
{
    struct task *task = argument;
    for (long i = 0; i < 2 * task->count; i++) {
        if (i % 2 == task->number)
            slots[task->first + i / 2] = make(task->size);
        pthread_barrier_wait(&turn);
    }
    return NULL;
}

static int by_line(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, two = *(const uint64_t *)b;
    return (one > two) - (one < two);
}

static void lines(long size, long count)
{
    static struct task tasks[2];
    static uint64_t seen[1 << 18];
    if (count > 100000 || size > 64)
        fail("too many or too large blocks");
    pthread_barrier_init(&turn, NULL, 2);
    for (int i = 0; i < 2; i++) {
        tasks[i] = (struct task){.first = i * count, .size = size, .count = count, .number = i};
        if (pthread_create(&tasks[i].id, NULL, allocate, &tasks[i]))
            fail("cannot start a thread");
    }
    for (int i = 0; i < 2; i++)
        pthread_join(tasks[i].id, NULL);
    long entries = 0, used = 0, shared = 0;
    for (long i = 0; i < 2 * count; i++)        /* a line's number, and in its last bit the thread */
        seen[entries++] = (uint64_t)(uintptr_t)slots[i] / LINE * 2 + (i >= count);
    qsort(seen, entries, sizeof *seen, by_line);
    for (long i = 0; i < entries; i++) {
        if (i == 0 || seen[i] / 2 != seen[i - 1] / 2)
            used++;
        else if (seen[i] != seen[i - 1])
            shared++;
    }
    printf("{\"lines\": %ld, \"shared\": %ld}\n", used, shared);
}

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t step;

static void *visit(void *argument)
{
    struct task *task = argument;
    pthread_mutex_lock(&one);
    for (long i = 0; i < task->count; i++) {
        uint32_t base = 8u << draw(5);
        slots[i] = make(base + draw(base));
    }
    for (long i = 0; i < task->count; i++)
        free(slots[i]);
    pthread_mutex_unlock(&one);
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    return NULL;
}

static long crew(long threads, long blocks)
{
    static struct task tasks[64];
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    pthread_barrier_init(&step, NULL, threads + 1);
    long start = resident();
    for (long i = 0; i < threads; i++) {
        tasks[i] = (struct task){.count = blocks};
        if (pthread_create(&tasks[i].id, &small, visit, &tasks[i]))
            fail("cannot start a thread");
    }
    pthread_barrier_wait(&step);
    long added = resident() - start;
    pthread_barrier_wait(&step);
    for (long i = 0; i < threads; i++)
        pthread_join(tasks[i].id, NULL);
    return added / threads;
}

static void *work(void *argument)
{
    struct task *task = argument;
    char **ring = &slots[task->first];
    for (long i = 0; i < task->steps; i++) {
        free(ring[i % 100]);
        ring[i % 100] = make(task->size);
    }
    return NULL;
}

static void churn(long threads, long size, long steps)
{
    static struct task tasks[64];
    for (long i = 0; i < threads; i++) {
        tasks[i] = (struct task){.first = i * 100, .size = size, .steps = steps};
        if (pthread_create(&tasks[i].id, NULL, work, &tasks[i]))
            fail("cannot start a thread");
    }
    for (long i = 0; i < threads; i++)
        pthread_join(tasks[i].id, NULL);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "life") && argc == 3)
        life(parse(argv[2], SLOTS));
    else if (!strcmp(what, "each") && argc == 4)
        each(parse(argv[2], 1 << 20), parse(argv[3], SLOTS));
    else if (!strcmp(what, "lines") && argc == 4)
        lines(parse(argv[2], 1 << 20), parse(argv[3], SLOTS));
    else if (!strcmp(what, "crew") && argc == 4) {
        long threads = parse(argv[2], 64), blocks = parse(argv[3], SLOTS);
        memset(slots, 1, sizeof slots);
        long idle = crew(threads, 0);           /* stacks, and what a thread is for the kernel */
        printf("{\"idle\": %ld, \"each\": %ld}\n", idle, crew(threads, blocks));
    } else if (!strcmp(what, "churn") && argc == 5)
        churn(parse(argv[2], 64), parse(argv[3], 1 << 20), parse(argv[4], 1 << 30));
    else
        fail("usage: costs life|each|lines|crew|churn ...; see the source");
    return 0;
}
