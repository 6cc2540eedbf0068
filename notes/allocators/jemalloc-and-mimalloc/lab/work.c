/* Five workloads for whichever malloc is preloaded.

   work same COUNT       1,000 live blocks of 64 bytes; each step frees one at random and makes one
   work mixed COUNT      the same with 10,000 live blocks of 16 bytes to 4 KiB, small ones more often
   work large COUNT      the same with 16 live blocks of 256 KiB to 4 MiB, each page written
   work cross COUNT      one thread makes blocks of the mixed sizes, another frees them, in batches
   work retain MIB [IN]  fills MIB of mixed sizes, frees all, or all but one in IN at random, waits
                         a second, and works on with the mixed sizes for a while
   work nothing          only starts and ends

   Random numbers come out the same everywhere. The work lies between marks for strace and in
   functions of its own for callgrind. Each ends with a JSON object: bytes resident. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOTS (1 << 20)
#define BATCH 1000

static char *slots[SLOTS];      /* zero pages until used, and none of malloc's business */
static uint64_t state = 88172645463325252u;

static void fail(const char *why)
{
    fprintf(stderr, "work: %s\n", why);
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

/* A library that is not found is only a warning to the dynamic linker: look whether it is there. */
static void loaded(const char *list)
{
    static char maps[1 << 20];
    char one[4096];
    int file = open("/proc/self/maps", O_RDONLY);
    size_t have = 0;
    for (ssize_t got = 1; file >= 0 && got > 0 && have < sizeof maps - 1; have += (size_t)got)
        if ((got = read(file, maps + have, sizeof maps - 1 - have)) < 0)
            fail("cannot read /proc/self/maps");
    close(file);
    while (*list) {
        size_t length = strcspn(list, ": ");
        if (length >= sizeof one)
            fail("a name in LD_PRELOAD is too long");
        memcpy(one, list, length);
        one[length] = 0;
        if (!strstr(maps, one))
            fail("what LD_PRELOAD names was not loaded");
        list += length + (list[length] != 0);
    }
}

static void mark(const char *name)
{
    if (write(-1, name, strlen(name)) != -1)    /* fails on purpose: only to be seen by strace */
        fail("a mark was written");
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
    *(volatile char *)made = 1;
    return made;
}

/* 16 bytes to 4 KiB: each doubling as often as the next, so that half are below 256 bytes. */
static size_t mixed_size(void)
{
    uint32_t base = 16u << draw(8);
    return base + draw(base);
}

__attribute__((noipa)) static void same(long count)
{
    for (long i = 0; i < count; i++) {
        uint32_t at = draw(1000);
        free(slots[at]);
        slots[at] = make(64);
    }
}

__attribute__((noipa)) static void mixed(long count)
{
    for (long i = 0; i < count; i++) {
        uint32_t at = draw(10000);
        free(slots[at]);
        slots[at] = make(mixed_size());
    }
}

__attribute__((noipa)) static void large(long count)
{
    for (long i = 0; i < count; i++) {
        uint32_t at = draw(16);
        size_t size = (size_t)(64 + draw(961)) * 4096;
        free(slots[at]);
        slots[at] = make(size);
        for (size_t page = 4096; page < size; page += 4096)
            ((volatile char *)slots[at])[page] = 1;
    }
}

/* A batch changes hands under a lock, so that nobody spins. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full, ended;

__attribute__((noipa)) static void produce(long count)
{
    for (long i = 0; i < count; i++)
        slots[i] = make(mixed_size());
}

__attribute__((noipa)) static void consume(long count)
{
    for (long i = 0; i < count; i++)
        free(slots[i]);
}

static void await(int wanted)
{
    pthread_mutex_lock(&lock);
    while (full != wanted && !ended)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void announce(int now, int last)
{
    pthread_mutex_lock(&lock);
    full = now;
    ended = last;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void *consumer(void *unused)
{
    (void)unused;
    for (;;) {
        await(1);
        if (ended)
            return NULL;
        consume(BATCH);
        announce(0, 0);
    }
}

static void cross(long count)
{
    pthread_t other;
    if (pthread_create(&other, NULL, consumer, NULL))
        fail("cannot start a thread");
    for (long done = 0; done < count; done += BATCH) {
        produce(BATCH);
        announce(1, 0);
        await(0);
    }
    announce(0, 1);
    pthread_join(other, NULL);
}

static void retain(long mib, long in)
{
    long start = resident(), asked = 0, kept = 0, blocks = 0;
    for (; asked < mib << 20; blocks++) {
        if (blocks == SLOTS)
            fail("too many blocks");
        size_t size = mixed_size();
        slots[blocks] = make(size);
        memset(slots[blocks], 1, size);
        asked += (long)size;
    }
    long filled = resident();
    for (long i = 0; i < blocks; i++)
        if (!in || draw(in)) {
            free(slots[i]);
            slots[i] = NULL;
        } else {
            kept++;
        }
    long freed = resident();
    sleep(1);
    mixed(1000000);
    long after = resident();
    printf("{\"asked\": %ld, \"filled\": %ld, \"freed\": %ld, \"after\": %ld, \"kept\": %ld}\n", asked,
           filled - start, freed - start, after - start, kept);
}

int main(int argc, char **argv)
{
    const char *preload = getenv("LD_PRELOAD"), *what = argc > 1 ? argv[1] : "";
    if (preload)
        loaded(preload);
    if (argc == 2 && !strcmp(what, "nothing"))
        return 0;
    long count = argc == 3 || argc == 4 ? parse(argv[2], 1 << 30) : 0;
    if (!count)
        fail("usage: work same|mixed|large|cross|retain COUNT [IN], or work nothing");
    if (!strcmp(what, "retain")) {
        retain(count, argc == 4 ? parse(argv[3], 1000) : 0);
        return 0;
    }
    mark("perfnotes:begin");
    if (!strcmp(what, "same"))
        same(count);
    else if (!strcmp(what, "mixed"))
        mixed(count);
    else if (!strcmp(what, "large"))
        large(count);
    else if (!strcmp(what, "cross"))
        cross(count);
    else
        fail("no such workload");
    mark("perfnotes:end");
    printf("{\"resident\": %ld}\n", resident());
    return 0;
}
