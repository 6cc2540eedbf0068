/* 4 KiB pages against 2 MiB pages, in one process: how many page faults the first touch of a
   buffer takes, and what an access at a random place costs afterwards, in the whole buffer and in
   its first 64 KiB, which every TLB covers.

   Usage: pages MEBIBYTES STEPS ROUNDS      prints one JSON object
          pages show MEBIBYTES              prints the same counts to be read */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define SMALL_PAGE 4096UL
#define HUGE_PAGE (2UL << 20)
#define WINDOW (64UL << 10)
#define MOST_ROUNDS 1000

static volatile uint64_t sink;

static void fail(const char *why)
{
    fprintf(stderr, "pages: %s\n", why);
    exit(1);
}

/* Huge pages for madvise(MADV_HUGEPAGE) must be allowed for the system and for this process. */
static void require_huge_pages(void)
{
    char modes[64] = "";
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (!file)
        fail("this kernel has no transparent huge pages "
             "(/sys/kernel/mm/transparent_hugepage is missing)");
    if (!fgets(modes, sizeof modes, file))
        fail("cannot read /sys/kernel/mm/transparent_hugepage/enabled");
    fclose(file);
    if (strstr(modes, "[never]"))
        fail("transparent huge pages are switched off "
             "(/sys/kernel/mm/transparent_hugepage/enabled says never)");
    if (prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 1)
        fail("transparent huge pages are switched off for this process (PR_SET_THP_DISABLE)");
    if (sysconf(_SC_PAGESIZE) != (long)SMALL_PAGE)
        fail("the base page of this machine is not 4 KiB");
}

static char *map(size_t bytes, int advice)
{
    char *area = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (area == MAP_FAILED)
        fail(strerror(errno));
    char *start = (char *)(((uintptr_t)area + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1));
    if (madvise(start, bytes, advice))
        fail(strerror(errno));
    return start;
}

static long minor_faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Write one byte per 4 KiB; returns the faults that it took. */
__attribute__((noinline)) static long touch(char *buffer, size_t bytes)
{
    long before = minor_faults();
    for (size_t at = 0; at < bytes; at += SMALL_PAGE)
        *(volatile char *)(buffer + at) = 1;
    return minor_faults() - before;
}

/* Bytes of the mapping at `buffer` that huge pages back, from /proc/self/smaps. */
static size_t huge_bytes(const char *buffer)
{
    FILE *file = fopen("/proc/self/smaps", "r");
    char line[512];
    int inside = 0;
    size_t kib = 0, found = 0;
    if (!file)
        fail("cannot read /proc/self/smaps");
    while (fgets(line, sizeof line, file)) {
        unsigned long low, high;
        if (sscanf(line, "%lx-%lx ", &low, &high) == 2)
            inside = low <= (uintptr_t)buffer && (uintptr_t)buffer < high;
        else if (inside && sscanf(line, "AnonHugePages: %zu kB", &kib) == 1)
            found += kib << 10;
    }
    fclose(file);
    return found;
}

/* Read `steps` bytes, each at a random place that depends on the byte read before. */
__attribute__((noinline)) static uint64_t walk(const char *buffer, size_t bytes, long steps,
                                               uint64_t state)
{
    for (long i = 0; i < steps; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        state += (unsigned char)buffer[(state >> 20) & (bytes - 1)];
    }
    return state;
}

static double time_walk(const char *buffer, size_t bytes, long steps, uint64_t seed)
{
    double start = cpu_seconds();
    sink = walk(buffer, bytes, steps, seed);
    return (cpu_seconds() - start) / steps;
}

/* Seconds per MiB of a fresh buffer. It is touched, given back and touched again, and the second
   time counts: the kernel then hands out memory that it had a moment ago. In a virtual machine the
   host may otherwise have to find that memory first, which takes far longer than what we measure.
   The faults tell whether the pages had the size asked for. */
static double time_touch(size_t bytes, int advice)
{
    char *buffer = map(bytes, advice);
    touch(buffer, bytes);
    if (madvise(buffer, bytes, MADV_DONTNEED))
        fail(strerror(errno));
    double start = cpu_seconds();
    long faults = touch(buffer, bytes);
    double taken = cpu_seconds() - start;
    if (advice == MADV_HUGEPAGE && faults > 2 * (long)(bytes / HUGE_PAGE))
        fail("the kernel ran out of huge pages (memory is fragmented?)");
    munmap(buffer, bytes);
    return taken / (bytes >> 20);
}

enum { SMALL_WALK, HUGE_WALK, AGAIN_WALK, SMALL_WINDOW, HUGE_WINDOW,
       SMALL_TOUCH, HUGE_TOUCH, AGAIN_TOUCH, QUANTITIES };
static const char *const names[QUANTITIES] = {
    "small_walk", "huge_walk", "again_walk", "small_window", "huge_window",
    "small_touch", "huge_touch", "again_touch"};
static double samples[QUANTITIES][MOST_ROUNDS];

int main(int argc, char **argv)
{
    int show = argc == 3 && !strcmp(argv[1], "show");
    if (!show && argc != 4)
        fail("usage: pages MEBIBYTES STEPS ROUNDS, or pages show MEBIBYTES");
    size_t bytes = strtoul(argv[show ? 2 : 1], NULL, 10) << 20;
    if (bytes < 16 * HUGE_PAGE || bytes & (bytes - 1))
        fail("MEBIBYTES must be a power of two, at least 32");
    require_huge_pages();

    char *small = map(bytes, MADV_NOHUGEPAGE), *huge = map(bytes, MADV_HUGEPAGE);
    minor_faults();     /* whatever the first call itself touches is not counted */
    long small_faults = touch(small, bytes), huge_faults = touch(huge, bytes);
    size_t small_backed = huge_bytes(small), huge_backed = huge_bytes(huge);
    if (huge_backed != bytes)
        fail("the kernel did not back the whole buffer with huge pages (memory is fragmented?)");
    if (small_backed)
        fail("the kernel used huge pages in spite of MADV_NOHUGEPAGE");

    if (show) {
        printf("4 KiB pages: %ld faults, AnonHugePages %zu kB\n", small_faults, small_backed >> 10);
        printf("2 MiB pages: %ld faults, AnonHugePages %zu kB\n", huge_faults, huge_backed >> 10);
        return 0;
    }

    long steps = strtol(argv[2], NULL, 10);
    int rounds = atoi(argv[3]);
    if (steps < 1 || rounds < 1 || rounds > MOST_ROUNDS)
        fail("STEPS and ROUNDS must be positive, ROUNDS at most 1000");
    uint64_t seed = 1;
    for (int round = -1; round < rounds; round++) {     /* round -1 warms up and is overwritten */
        int at = round < 0 ? 0 : round;
        /* another seed for every walk: no walk finds its lines in the cache from the one before */
        samples[SMALL_WALK][at] = time_walk(small, bytes, steps, seed++);
        samples[HUGE_WALK][at] = time_walk(huge, bytes, steps, seed++);
        samples[AGAIN_WALK][at] = time_walk(small, bytes, steps, seed++);
        samples[SMALL_WINDOW][at] = time_walk(small, WINDOW, steps * 16, seed++);
        samples[HUGE_WINDOW][at] = time_walk(huge, WINDOW, steps * 16, seed++);
        samples[SMALL_TOUCH][at] = time_touch(bytes / 16, MADV_NOHUGEPAGE);
        samples[HUGE_TOUCH][at] = time_touch(bytes / 16, MADV_HUGEPAGE);
        samples[AGAIN_TOUCH][at] = time_touch(bytes / 16, MADV_NOHUGEPAGE);
    }
    printf("{\"small_faults\": %ld, \"huge_faults\": %ld", small_faults, huge_faults);
    for (int q = 0; q < QUANTITIES; q++) {
        printf(", \"%s\": [", names[q]);
        for (int i = 0; i < rounds; i++)
            printf("%s%.5g", i ? ", " : "", samples[q][i]);
        printf("]");
    }
    printf("}\n");
    return 0;
}
