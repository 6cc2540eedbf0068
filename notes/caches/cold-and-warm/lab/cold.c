/* Cold and warm on purpose: the same work after different preparations.
 *
 *   cold count                            three laps over 16 KiB, for a cache simulator
 *   cold faults MIB                       page faults and resident memory, as JSON
 *   cold file PATH MIB                    pages of a file in the page cache, as JSON
 *   cold bench loads|survivors|branches|code|touch     CPU seconds, as JSON
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

enum {
    LINE = 64, PAGE = 4096, HUGE_PAGE = 2 << 20, ROUNDS = 21,
    LINES = 1024,                   /* the work: 64 KiB of lines, which the second level holds */
    SPREAD = LINES * PAGE,          /* one in each page, so that no prefetcher finds the next */
    FRESH = ROUNDS + 1,             /* copies of it, each used once */
    SWEEP = 256 << 20, BITS = 2000, CODE = 16384, TOUCHED = 16 << 20, TMPFS = 0x01021994
};
#define KERNEL __attribute__((noinline, noclone))

typedef struct line { struct line *next; uint64_t rest[7]; } line;
static volatile uint64_t sink;
static int printed;

static void fail(const char *why)
{
    fprintf(stderr, "cold: %s\n", why);
    exit(1);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static uint64_t random_number(void)
{
    static uint64_t x = 88172645463325252u;
    x ^= x << 13;
    x ^= x >> 7;
    return x ^= x << 17;
}

static void *memory(size_t bytes, int advice)
{
    char *area = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area == MAP_FAILED)
        fail(strerror(errno));
    char *start = (char *)(((uintptr_t)area + HUGE_PAGE - 1) & ~((uintptr_t)HUGE_PAGE - 1));
    madvise(start, bytes, advice);
    return start;
}

static void print(const char *name, const double *samples, int count)
{
    printf("%s\"%s\": [", printed++ ? ", " : "{", name);
    for (int i = 0; i < count; i++)
        printf("%s%.6g", i ? ", " : "", samples[i]);
    printf("]");
}

/* A random line of each page, or all lines side by side, linked into one random cycle. */
static line *chain(char *buffer, size_t lines, size_t room)
{
    static line *order[LINES];
    for (size_t i = 0; i < lines; i++)
        order[i] = (line *)(buffer + i * room + random_number() % (room / LINE) * LINE);
    for (size_t i = lines - 1; i > 0; i--) {
        size_t j = random_number() % (i + 1);
        line *t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
    for (size_t i = 0; i < lines; i++)
        order[i]->next = order[(i + 1) % lines];
    return order[0];
}

/* ---- ways to prepare ---- */

/* The lines of a chain: a line that has been flushed does not tell the next one. */
static KERNEL void flush_chain(line *at, size_t lines)
{
    for (size_t i = 0; i < lines; i++) {
        line *next = at->next;
        _mm_clflush(at);
        at = next;
    }
    _mm_mfence();
}

static KERNEL void flush(const void *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += LINE)
        _mm_clflush((const char *)from + at);
    _mm_mfence();
}

static KERNEL uint64_t sweep(const char *from, size_t bytes)
{
    uint64_t sum = 0;
    for (size_t at = 0; at < bytes; at += LINE)
        sum += *(const uint64_t *)(from + at);
    return sum;
}

/* ---- the work ---- */

static inline line *walk(line *at, size_t lines)
{
    for (size_t i = 0; i < lines; i++)
        at = at->next;
    return at;
}

static KERNEL line *lap(line *at, size_t lines) { return walk(at, lines); }

static double time_lap(line *a)
{
    double start = seconds();
    sink = (uint64_t)lap(a, LINES);
    return (seconds() - start) / LINES;
}

static void bench_loads(void)
{
    enum { WARM, FLUSHED, THEN, SWEPT_2, SWEPT_32, SWEPT_64, SWEPT_256, NEW, AGAIN, N };
    static const char *const names[N] = {
        "warm", "flushed", "then", "swept_2", "swept_32", "swept_64", "swept_256", "fresh", "again"};
    static double samples[N][ROUNDS];
    static line *fresh[FRESH];
    line *a = chain(memory(SPREAD, MADV_HUGEPAGE), LINES, PAGE);
    char *other = memory(SWEEP, MADV_HUGEPAGE);
    memset(other, 1, SWEEP);
    for (int i = 0; i < FRESH; i++) {
        fresh[i] = chain(memory(SPREAD, MADV_HUGEPAGE), LINES, PAGE);
        flush_chain(fresh[i], LINES);       /* written just now; from here on never touched */
    }
    for (int round = -1; round < ROUNDS; round++) {
        int at = round < 0 ? 0 : round;
        sink = (uint64_t)lap(a, LINES);
        samples[WARM][at] = time_lap(a);
        flush_chain(a, LINES);
        samples[FLUSHED][at] = time_lap(a);
        samples[THEN][at] = time_lap(a);
        for (int s = SWEPT_2; s <= SWEPT_256; s++) {
            static const size_t sizes[N] = {
                [SWEPT_2] = 2, [SWEPT_32] = 32, [SWEPT_64] = 64, [SWEPT_256] = 256};
            sink = (uint64_t)lap(a, LINES);
            sink = sweep(other, sizes[s] << 20);
            samples[s][at] = time_lap(a);
        }
        samples[NEW][at] = time_lap(fresh[round + 1]);
        sink = (uint64_t)lap(a, LINES);
        samples[AGAIN][at] = time_lap(a);
    }
    for (int n = 0; n < N; n++)
        print(names[n], samples[n], ROUNDS);
}

/* Which part of the lines answers faster than half way between a cached and a flushed line, each
 * load timed alone with the time stamp counter. */
static double one_load(line **at)
{
    unsigned aux;
    _mm_lfence();
    uint64_t before = __rdtscp(&aux);
    _mm_lfence();
    *at = (*at)->next;
    __asm__ volatile("" : : "r"(*at) : "memory");
    _mm_lfence();
    return (double)(__rdtscp(&aux) - before);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double loads[LINES];
static void time_each(line *at)
{
    for (size_t i = 0; i < LINES; i++)
        loads[i] = one_load(&at);
}

static double middle(void)
{
    qsort(loads, LINES, sizeof *loads, by_size);
    return loads[LINES / 2];
}

static double share_below(double limit)
{
    size_t below = 0;
    for (size_t i = 0; i < LINES; i++)
        below += loads[i] < limit;
    return 100.0 * below / LINES;
}

static void bench_survivors(void)
{
    static const size_t sizes[] = {0, 1, 2, 16, 32, 64, 128, 256};      /* 0: a flush */
    enum { N = sizeof sizes / sizeof *sizes };
    static double samples[N][ROUNDS];
    char name[16];
    static double side[ROUNDS];
    line *a = chain(memory(SPREAD, MADV_HUGEPAGE), LINES, PAGE);
    line *dense = chain(memory(LINES * LINE, MADV_HUGEPAGE), LINES, LINE);
    char *other = memory(SWEEP, MADV_HUGEPAGE);
    memset(other, 1, SWEEP);
    for (int round = -1; round < ROUNDS; round++) {
        lap(a, LINES);
        time_each(a);
        double warm = middle();
        flush_chain(a, LINES);
        time_each(a);
        double limit = (warm + middle()) / 2;
        for (int s = 0; s < N; s++) {
            sink = (uint64_t)lap(a, LINES);
            sink = (uint64_t)lap(a, LINES);
            if (sizes[s])
                sink = sweep(other, sizes[s] << 20);
            else
                flush_chain(a, LINES);
            time_each(a);
            samples[s][round < 0 ? 0 : round] = share_below(limit);
        }
        flush_chain(dense, LINES);
        time_each(dense);
        side[round < 0 ? 0 : round] = share_below(limit);
    }
    for (int s = 0; s < N; s++) {
        snprintf(name, sizeof name, sizes[s] ? "swept_%zu" : "flushed", sizes[s]);
        print(name, samples[s], ROUNDS);
    }
    print("side_by_side", side, ROUNDS);
}

/* ---- what else is warm: the branch predictor and the code ---- */

static KERNEL uint64_t branches(const uint8_t *bits)
{
    uint64_t sum = 0;
    for (int i = 0; i < BITS; i++) {
        if (bits[i])
            __asm__ volatile("add $1, %0" : "+r"(sum));
        else
            __asm__ volatile("xor $2, %0" : "+r"(sum));
    }
    return sum;
}

static void bench_branches(void)
{
    enum { LAPS = 500 };
    static uint8_t many[LAPS][BITS];
    static double samples[3][ROUNDS];
    for (int round = -1; round < ROUNDS; round++) {
        int at = round < 0 ? 0 : round;
        for (int l = 0; l < LAPS; l++)
            for (int i = 0; i < BITS; i++)
                many[l][i] = random_number() >> 20 & 1;
        for (int way = 0; way < 3; way++) {     /* 0, 2: the same input again and again; 1: new */
            double start = seconds();
            for (int l = 0; l < LAPS; l++)
                sink = branches(many[way == 1 ? l : 0]);
            samples[way][at] = (seconds() - start) / LAPS / BITS;
        }
    }
    print("same", samples[0], ROUNDS);
    print("new", samples[1], ROUNDS);
    print("again", samples[2], ROUNDS);
}

/* 16 KiB of straight code. */
KERNEL uint64_t code(uint64_t x)
{
    __asm__ volatile(".p2align 12\n\t.rept 2048\n\tlea 0x12345678(%0,%0,1), %0\n\t.endr"
                     : "+r"(x));
    return x;
}

static void bench_code(void)
{
    enum { LAPS = 20 };
    static double samples[3][ROUNDS];
    for (int round = -1; round < ROUNDS; round++)
        for (int way = 0; way < 3; way++) {     /* 1: flushed before each call */
            double taken = 0;
            code(1);
            for (int l = 0; l < LAPS; l++) {
                if (way == 1)
                    flush((const void *)((uintptr_t)code & ~(uintptr_t)(LINE - 1)), 2 * CODE);
                double start = seconds();
                sink = code(l);
                taken += seconds() - start;
            }
            samples[way][round < 0 ? 0 : round] = taken / LAPS;
        }
    print("warm", samples[0], ROUNDS);
    print("flushed", samples[1], ROUNDS);
    print("again", samples[2], ROUNDS);
}

/* ---- the first touch ---- */

static KERNEL void write_pages(char *a, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += LINE)
        *(volatile char *)(a + at) = 1;
}

static double per_line(double start)
{
    return (seconds() - start) / (TOUCHED / LINE);
}

static void bench_touch(void)
{
    enum { FIRST, SECOND, FLUSHED, UNWRITTEN, WRITTEN, AGAIN, N };
    static const char *const names[N] = {"first", "second", "flushed", "unwritten", "written", "again"};
    static double samples[N][ROUNDS];
    for (int round = -1; round < ROUNDS; round++) {
        int at = round < 0 ? 0 : round;
        char *a = memory(TOUCHED, MADV_NOHUGEPAGE), *never = memory(TOUCHED, MADV_NOHUGEPAGE);
        write_pages(a, TOUCHED);                    /* the host finds the memory */
        madvise(a, TOUCHED, MADV_DONTNEED);
        double start = seconds();
        write_pages(a, TOUCHED);
        samples[FIRST][at] = per_line(start);
        start = seconds();
        write_pages(a, TOUCHED);
        samples[SECOND][at] = per_line(start);
        flush(a, TOUCHED);
        start = seconds();
        write_pages(a, TOUCHED);
        samples[FLUSHED][at] = per_line(start);
        sink = sweep(never, TOUCHED);               /* maps the zero page everywhere */
        for (int way = UNWRITTEN; way <= AGAIN; way++) {
            const char *from = way == WRITTEN ? a : never;
            flush(from, TOUCHED);
            start = seconds();
            sink = sweep(from, TOUCHED);
            samples[way][at] = per_line(start);
        }
        munmap(a, TOUCHED);
        munmap(never, TOUCHED);
    }
    for (int n = 0; n < N; n++)
        print(names[n], samples[n], ROUNDS);
}

static long minor_faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

/* Anonymous memory that is resident, in KiB; the shared page of zeros is not counted there. */
static long resident_kib(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char text[256];
    long kib = -1;
    if (!file)
        fail("cannot read /proc/self/status");
    while (fgets(text, sizeof text, file))
        sscanf(text, "RssAnon: %ld kB", &kib);
    fclose(file);
    return kib;
}

static int faults(size_t bytes)
{
    char *a = memory(bytes, MADV_NOHUGEPAGE), *never = memory(bytes, MADV_NOHUGEPAGE);
    minor_faults();
    long kib_before = resident_kib();
    long before = minor_faults();
    write_pages(a, bytes);
    long first = minor_faults();
    write_pages(a, bytes);
    long second = minor_faults();
    flush(a, bytes);
    long third = minor_faults();
    write_pages(a, bytes);
    long fourth = minor_faults(), kib = resident_kib(), write_kib = kib - kib_before;
    long read_before = minor_faults();
    sink = sweep(never, bytes);
    long read_after = minor_faults(), read_kib = resident_kib() - kib;
    printf("{\"first\": %ld, \"second\": %ld, \"flushed\": %ld, \"reading\": %ld, "
           "\"write_kib\": %ld, \"read_kib\": %ld, \"pages\": %zu}\n",
           first - before, second - first, fourth - third, read_after - read_before, write_kib, read_kib,
           bytes / PAGE);
    return 0;
}

/* ---- the page cache ---- */

static long in_page_cache(int fd, size_t bytes)
{
    unsigned char *there = malloc(bytes / PAGE);
    void *map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
    long count = 0;
    if (map == MAP_FAILED || !there || mincore(map, bytes, there))
        fail(strerror(errno));
    for (size_t i = 0; i < bytes / PAGE; i++)
        count += there[i] & 1;
    munmap(map, bytes);
    free(there);
    return count;
}

static void read_all(int fd, char *buffer, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += 1 << 20)
        if (pread(fd, buffer, 1 << 20, at) != 1 << 20)
            fail("cannot read the file");
}

/* Pages that still have to be written stay, so that they are written first. */
static void drop(int fd)
{
    if (fsync(fd))
        fail(strerror(errno));
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}

/* Major faults of a new process that maps the file and reads all of it. */
static long by_another_process(int fd, size_t bytes)
{
    struct rusage usage;
    int status;
    pid_t child = fork();
    if (child < 0)
        fail(strerror(errno));
    if (!child) {
        void *map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
        if (map == MAP_FAILED)
            _exit(1);
        sink = sweep(map, bytes);
        _exit(0);
    }
    if (wait4(child, &status, 0, &usage) != child || status)
        fail("the second process failed");
    return usage.ru_majflt;
}

static int file(const char *path, size_t bytes)
{
    char *buffer = memory(HUGE_PAGE, MADV_NOHUGEPAGE);
    struct statfs what;
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || fstatfs(fd, &what))
        fail(strerror(errno));
    if (what.f_type == TMPFS) {
        unlink(path);
        fail("this folder is a tmpfs, whose files live in the page cache alone");
    }
    memset(buffer, 1, 1 << 20);
    for (size_t at = 0; at < bytes; at += 1 << 20)
        if (pwrite(fd, buffer, 1 << 20, at) != 1 << 20)
            fail("cannot write the file");
    long written = in_page_cache(fd, bytes);
    drop(fd);
    long dropped = in_page_cache(fd, bytes);
    int direct = open(path, O_RDONLY | O_DIRECT);
    if (direct < 0)
        fail("this file system has no O_DIRECT");
    read_all(direct, buffer, bytes);
    long around = in_page_cache(fd, bytes);
    read_all(fd, buffer, bytes);
    long through = in_page_cache(fd, bytes);
    drop(fd);
    long cold_major = by_another_process(fd, bytes), warm_major = by_another_process(fd, bytes);
    close(direct);
    close(fd);
    unlink(path);
    printf("{\"pages\": %zu, \"written\": %ld, \"dropped\": %ld, \"direct\": %ld, \"read\": %ld, "
           "\"cold_major\": %ld, \"warm_major\": %ld}\n",
           bytes / PAGE, written, dropped, around, through, cold_major, warm_major);
    return 0;
}

/* ---- for the simulator ---- */

KERNEL line *first_lap(line *at, size_t lines) { return walk(at, lines); }
KERNEL line *second_lap(line *at, size_t lines) { return walk(at, lines); }
KERNEL line *flushed_lap(line *at, size_t lines) { return walk(at, lines); }

static int count(void)
{
    enum { FEW = 256 };
    line *a = chain(memory(FEW * PAGE, MADV_NOHUGEPAGE), FEW, PAGE);
    sink = sweep(memory(4 << 20, MADV_NOHUGEPAGE), 4 << 20);    /* the chain was written just now */
    sink = (uint64_t)first_lap(a, FEW);
    sink = (uint64_t)second_lap(a, FEW);
    flush_chain(a, FEW);
    sink = (uint64_t)flushed_lap(a, FEW);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "count"))
        return count();
    if (argc == 3 && !strcmp(argv[1], "faults"))
        return faults(strtoul(argv[2], NULL, 10) << 20);
    if (argc == 4 && !strcmp(argv[1], "file"))
        return file(argv[2], strtoul(argv[3], NULL, 10) << 20);
    if (argc != 3 || strcmp(argv[1], "bench"))
        fail("usage: cold count | faults MIB | file PATH MIB | bench WHAT (see the source)");
    if (!strcmp(argv[2], "loads"))
        bench_loads();
    else if (!strcmp(argv[2], "survivors"))
        bench_survivors();
    else if (!strcmp(argv[2], "branches"))
        bench_branches();
    else if (!strcmp(argv[2], "code"))
        bench_code();
    else if (!strcmp(argv[2], "touch"))
        bench_touch();
    else
        fail("bench loads, survivors, branches, code or touch");
    printf("}\n");
    return 0;
}
