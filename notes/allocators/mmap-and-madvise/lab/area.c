/* Ways to take memory from the kernel and to give it back: the page faults that each costs, what
   stays resident, and the CPU time.

   Usage: area show MEBIBYTES            what stays resident and what is read afterwards
          area count MEBIBYTES           the same as one JSON object, with page faults
          area populate|touch MEBIBYTES  only that, for an outside observer
          area bench MEBIBYTES ROUNDS    CPU time per page, one JSON object */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096UL
#define MOST_ROUNDS 200
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

static size_t bytes, pages;
static volatile char sink;

static void fail(const char *what)
{
    fprintf(stderr, "area: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void advise(char *area, size_t length, int advice, const char *name)
{
    if (madvise(area, length, advice))
        fail(name);
}

static char *map_flags(int flags)
{
    char *area = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1,
                      0);
    if (area == MAP_FAILED)
        fail("mmap");
    return area;
}

/* Small pages only, so that every page is a fault of its own. */
static char *map(void)
{
    char *area = map_flags(0);
    advise(area, bytes, MADV_NOHUGEPAGE, "MADV_NOHUGEPAGE");
    return area;
}

static void unmap(char *area)
{
    if (munmap(area, bytes))
        fail("munmap");
}

static long faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

/* One byte into each page; the faults that it took. */
__attribute__((noinline)) static long touch(char *area, size_t length)
{
    long before = faults();
    for (size_t at = 0; at < length; at += PAGE)
        *(volatile char *)(area + at) = 1;
    return faults() - before;
}

__attribute__((noinline)) static long look(const char *area, size_t length)
{
    long before = faults();
    for (size_t at = 0; at < length; at += PAGE)
        sink = *(volatile const char *)(area + at);
    return faults() - before;
}

/* Pages of the range whose first byte is still the 1 that touch() wrote. */
static long kept(const char *area)
{
    long n = 0;
    for (size_t at = 0; at < bytes; at += PAGE)
        n += *(volatile const char *)(area + at) == 1;
    return n;
}

/* A line such as Rss of the mapping at `area` in /proc/self/smaps, in pages. */
static long smaps(const char *area, const char *wanted)
{
    FILE *file = fopen("/proc/self/smaps", "r");
    char line[512];
    size_t length = strlen(wanted);
    long found = -1;
    int inside = 0;
    if (!file)
        fail("/proc/self/smaps");
    while (fgets(line, sizeof line, file)) {
        unsigned long low, high, kib;
        if (sscanf(line, "%lx-%lx ", &low, &high) == 2)
            inside = low <= (uintptr_t)area && (uintptr_t)area < high;
        else if (inside && !strncmp(line, wanted, length) &&
                 sscanf(line + length, ": %lu kB", &kib) == 1)
            found = (long)(kib << 10 >> 12);
    }
    fclose(file);
    if (found < 0) {
        errno = ENOENT;
        fail(wanted);
    }
    return found;
}

enum way { NOTHING, DONTNEED, FREE, FREE_REWRITTEN, PAGEOUT, WAYS };
static const char *const names[WAYS] = {"nothing", "dontneed", "free", "free_rewritten", "pageout"};
static const char *const titles[WAYS] = {"nothing", "MADV_DONTNEED", "MADV_FREE",
                                         "MADV_FREE, half rewritten", "MADV_PAGEOUT alone"};

struct after {
    long rss, lazy;         /* pages, right after the advice */
    long reclaimed_rss;     /* after the kernel was made to reclaim the range */
    long kept;              /* pages that then still hold what was written */
    long again;             /* faults of writing to all pages once more, without any reclaim */
};

/* Give 64 MiB back in one way. Reclaim is forced with MADV_PAGEOUT, in place of a shortage. */
static struct after give_back(enum way way)
{
    struct after seen = {0};
    for (int reclaim = 0; reclaim < 2; reclaim++) {
        char *area = map();
        touch(area, bytes);
        if (way == DONTNEED)
            advise(area, bytes, MADV_DONTNEED, "MADV_DONTNEED");
        if (way == FREE || way == FREE_REWRITTEN)
            advise(area, bytes, MADV_FREE, "MADV_FREE");
        if (way == FREE_REWRITTEN)
            touch(area, bytes / 2);
        if (way == PAGEOUT)
            advise(area, bytes, MADV_PAGEOUT, "MADV_PAGEOUT");
        if (reclaim) {
            advise(area, bytes, MADV_PAGEOUT, "MADV_PAGEOUT");
            seen.reclaimed_rss = smaps(area, "Rss");
            seen.kept = kept(area);
        } else {
            seen.rss = smaps(area, "Rss");
            seen.lazy = smaps(area, "LazyFree");
            seen.again = touch(area, bytes);
        }
        unmap(area);
    }
    return seen;
}

/* A file of ours, in the page cache. */
static int make_file(void)
{
    int fd = open("area.data", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    char block[PAGE];
    memset(block, 1, sizeof block);
    if (fd < 0)
        fail("area.data");
    unlink("area.data");
    for (size_t n = 0; n < pages; n++)
        if (write(fd, block, sizeof block) != (ssize_t)sizeof block)
            fail("write");
    return fd;
}

static char *map_file(int fd, int flags)
{
    char *area = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
    if (area == MAP_FAILED)
        fail("mmap of a file");
    return area;
}

static void count(void)
{
    printf("{\"pages\": %zu", pages);
    char *area = map();
    long by_reading = look(area, bytes), rss_read = smaps(area, "Rss");
    long then_writing = touch(area, bytes), rss_written = smaps(area, "Rss");
    printf(", \"read\": %ld, \"read_rss\": %ld, \"write_after_read\": %ld, \"written_rss\": %ld",
           by_reading, rss_read, then_writing, rss_written);
    unmap(area);

    area = map();
    printf(", \"first\": %ld", touch(area, bytes));
    printf(", \"second\": %ld", touch(area, bytes));
    unmap(area);

    long before = faults();
    area = map();
    advise(area, bytes, MADV_POPULATE_WRITE, "MADV_POPULATE_WRITE");
    long during = faults() - before;
    printf(", \"populate_write\": %ld, \"after_populate_write\": %ld", during, touch(area, bytes));
    unmap(area);

    area = map();
    advise(area, bytes, MADV_POPULATE_READ, "MADV_POPULATE_READ");
    printf(", \"after_populate_read\": %ld", touch(area, bytes));
    unmap(area);

    area = map_flags(MAP_POPULATE);
    printf(", \"after_map_populate\": %ld", touch(area, bytes));
    unmap(area);

    int fd = make_file();
    area = map_file(fd, MAP_PRIVATE);
    printf(", \"file_read\": %ld", look(area, bytes));
    unmap(area);
    area = map_file(fd, MAP_PRIVATE);
    printf(", \"file_write\": %ld", touch(area, bytes));
    unmap(area);
    close(fd);

    for (int way = 0; way < WAYS; way++) {
        struct after seen = give_back((enum way)way);
        printf(", \"%s_rss\": %ld, \"%s_lazy\": %ld, \"%s_reclaimed\": %ld, \"%s_kept\": %ld, "
               "\"%s_again\": %ld",
               names[way], seen.rss, names[way], seen.lazy, names[way], seen.reclaimed_rss,
               names[way], seen.kept, names[way], seen.again);
    }
    printf("}\n");
}

static void show(void)
{
    printf("%-26s %8s %8s %15s %8s\n", "pages of 4 KiB", "Rss", "LazyFree", "Rss, reclaimed",
           "intact");
    for (int way = 0; way < WAYS; way++) {
        struct after seen = give_back((enum way)way);
        printf("%-26s %8ld %8ld %15ld %8ld\n", titles[way], seen.rss, seen.lazy,
               seen.reclaimed_rss, seen.kept);
    }
}

static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

enum { REUSE, REUSE_AGAIN, AFTER_DONTNEED, DONTNEED_CALL, AFTER_FREE, FREE_CALL, MUNMAP_TOUCHED,
       MUNMAP_UNTOUCHED, TOUCHED, POPULATED, POPULATE_FLAG, CLEARED, CLEARED_AGAIN, QUANTITIES };
static const char *const measured[QUANTITIES] = {
    "reuse", "reuse_again", "after_dontneed", "dontneed_call", "after_free", "free_call",
    "munmap_touched", "munmap_untouched", "touched", "populated", "populate_flag",
    "cleared", "cleared_again"};
static double samples[QUANTITIES][MOST_ROUNDS];

static void bench(int rounds)
{
    char *area = map();
    touch(area, bytes);
    for (int round = -2; round < rounds; round++) {
        double t[QUANTITIES], start;
        start = cpu(), touch(area, bytes), t[REUSE] = cpu() - start;
        start = cpu(), advise(area, bytes, MADV_FREE, "MADV_FREE"), t[FREE_CALL] = cpu() - start;
        start = cpu(), touch(area, bytes), t[AFTER_FREE] = cpu() - start;
        start = cpu(), advise(area, bytes, MADV_DONTNEED, "MADV_DONTNEED");
        t[DONTNEED_CALL] = cpu() - start;
        start = cpu(), touch(area, bytes), t[AFTER_DONTNEED] = cpu() - start;
        start = cpu(), touch(area, bytes), t[REUSE_AGAIN] = cpu() - start;

        start = cpu(), memset(area, 0, bytes), t[CLEARED] = cpu() - start;
        start = cpu(), memset(area, 0, bytes), t[CLEARED_AGAIN] = cpu() - start;

        char *other = map();
        start = cpu(), unmap(other), t[MUNMAP_UNTOUCHED] = cpu() - start;
        start = cpu(), other = map(), touch(other, bytes), t[TOUCHED] = cpu() - start;
        start = cpu(), unmap(other), t[MUNMAP_TOUCHED] = cpu() - start;
        start = cpu(), other = map();
        advise(other, bytes, MADV_POPULATE_WRITE, "MADV_POPULATE_WRITE");
        touch(other, bytes), t[POPULATED] = cpu() - start;
        unmap(other);
        start = cpu(), other = map_flags(MAP_POPULATE);
        touch(other, bytes), t[POPULATE_FLAG] = cpu() - start;
        unmap(other);
        for (int q = 0; q < QUANTITIES && round >= 0; q++)
            samples[q][round] = t[q] / (double)pages;
    }
    printf("{");
    for (int q = 0; q < QUANTITIES; q++) {
        printf("%s\"%s\": [", q ? ", " : "", measured[q]);
        for (int round = 0; round < rounds; round++)
            printf("%s%.4g", round ? ", " : "", samples[q][round]);
        printf("]");
    }
    printf("}\n");
}

int main(int argc, char **argv)
{
    errno = EINVAL;
    if (argc < 3 || argc > 4)
        fail("usage: area show|count|populate|touch MEBIBYTES, or area bench MEBIBYTES ROUNDS");
    if (sysconf(_SC_PAGESIZE) != (long)PAGE)
        fail("the base page of this machine is not 4 KiB");
    bytes = strtoul(argv[2], NULL, 10) << 20;
    pages = bytes / PAGE;
    int rounds = argc == 4 ? atoi(argv[3]) : 0;
    if (bytes < 1 << 20 || bytes > 1UL << 30)
        fail("MEBIBYTES must be between 1 and 1024");
    if (!strcmp(argv[1], "show") && argc == 3)
        show();
    else if (!strcmp(argv[1], "count") && argc == 3)
        count();
    else if (!strcmp(argv[1], "populate") && argc == 3)
        advise(map(), bytes, MADV_POPULATE_WRITE, "MADV_POPULATE_WRITE");
    else if (!strcmp(argv[1], "touch") && argc == 3)
        touch(map(), bytes);
    else if (!strcmp(argv[1], "bench") && rounds > 0 && rounds <= MOST_ROUNDS)
        bench(rounds);
    else
        fail("what to do");
    return 0;
}
