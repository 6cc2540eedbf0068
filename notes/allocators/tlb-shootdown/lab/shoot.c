/* Which calls make one processor interrupt another to drop its TLB entries, counted in the line TLB
   of /proc/interrupts, and what that costs both.

   A thread on one processor makes calls on memory that no other thread touches. On a second
   processor another thread of the process spins, or sleeps, or another process spins. Only batches
   count during which the spinner was really running.

   Usage: shoot show        a table
          shoot bench       all samples as one JSON object */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096UL
#define HUGE (2UL << 20)
#define CALLS 200
#define ROUNDS 31
#define TRIES 500
#define SPAN 64 /* pages of a batched call */

enum partner { SPINNING, SLEEPING, PROCESS };

struct spinner {
    _Alignas(64) uint64_t turns;
    _Alignas(64) int spin;
    sem_t go;
};

static int here, there; /* two processors */
static char *area, *huge;
static struct spinner *spinners; /* a thread's and a process's */
static clockid_t clocks[2];
static pid_t child;

static void die(const char *what)
{
    fprintf(stderr, "shoot: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void check(int failed, const char *what)
{
    if (failed)
        die(what);
}

static double clock_of(clockid_t id)
{
    struct timespec t;
    check(clock_gettime(id, &t), "clock_gettime");
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void pin(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    check(sched_setaffinity(0, sizeof set, &set), "sched_setaffinity");
}

static void choose_cpus(void)
{
    cpu_set_t set;
    int found = 0;
    check(sched_getaffinity(0, sizeof set, &set), "sched_getaffinity");
    for (int cpu = 0; cpu < CPU_SETSIZE && found < 2; cpu++)
        if (CPU_ISSET(cpu, &set))
            *(found++ ? &there : &here) = cpu;
    errno = EINVAL;
    check(found < 2, "needs two processors");
}

/* The TLB shootdowns that processor `cpu` has received since the machine started. */
static long received(int cpu)
{
    static char line[65536];
    FILE *file = fopen("/proc/interrupts", "r");
    int column = -1, n = 0;
    check(!file || !fgets(line, sizeof line, file), "/proc/interrupts");
    for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n"), n++)
        if (!strncmp(word, "CPU", 3) && atoi(word + 3) == cpu)
            column = n;
    while (fgets(line, sizeof line, file)) {
        char *rest = line + strspn(line, " ");
        long value = 0;
        if (strncmp(rest, "TLB:", 4))
            continue;
        rest += 4;
        for (int k = 0; k <= column; k++)
            value = strtol(rest, &rest, 10);
        fclose(file);
        return value;
    }
    errno = ENOENT;
    die("/proc/interrupts has no line TLB");
    return 0;
}

static void *spin(void *arg)
{
    struct spinner *s = arg;
    pin(there);
    for (;;) {
        sem_wait(&s->go);
        while (__atomic_load_n(&s->spin, __ATOMIC_RELAXED)) {
            for (int k = 0; k < 100; k++)
                __asm__ volatile("" : : "r"(k) : "memory");
            __atomic_store_n(&s->turns, s->turns + 1, __ATOMIC_RELAXED);
        }
    }
    return NULL;
}

static void start_spinners(void)
{
    pthread_t thread;
    spinners = mmap(NULL, 2 * sizeof *spinners, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                    -1, 0);
    check(spinners == MAP_FAILED, "mmap");
    check(sem_init(&spinners[0].go, 0, 0) || sem_init(&spinners[1].go, 1, 0), "sem_init");
    check((child = fork()) < 0, "fork");
    if (!child)
        spin(&spinners[1]);
    check(pthread_create(&thread, NULL, spin, &spinners[0]), "pthread_create");
    check(pthread_getcpuclockid(thread, &clocks[0]) || clock_getcpuclockid(child, &clocks[1]),
          "clock of the spinner");
}

static void touch(char *p)
{
    *(volatile char *)p = 1;
}

static char *fresh(void)
{
    char *p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check(p == MAP_FAILED, "mmap");
    return p;
}

static void dontneed(char *p, size_t bytes)
{
    check(madvise(p, bytes, MADV_DONTNEED), "MADV_DONTNEED");
}

/* One call of each kind, with what puts its memory right for the next. */
static void one_touch(int k) { touch(area + (size_t)k * PAGE); }
static void one_dontneed(int k) { (void)k, touch(area), dontneed(area, PAGE); }
static void one_absent(int k) { (void)k, dontneed(area + CALLS * PAGE, PAGE); }
static void one_huge(int k) { (void)k, touch(huge), dontneed(huge, HUGE); }
static void one_munmap(int k)
{
    (void)k;
    char *p = fresh();
    touch(p);
    check(munmap(p, PAGE), "munmap");
}
static void one_munmap_absent(int k) { (void)k, check(munmap(fresh(), PAGE), "munmap"); }
static void one_span(int k)
{
    (void)k;
    for (size_t n = 0; n < SPAN; n++)
        touch(area + n * PAGE);
    dontneed(area, SPAN * PAGE);
}
static void one_free(int k)
{
    (void)k, touch(area);
    check(madvise(area, PAGE, MADV_FREE), "MADV_FREE");
}
static void one_protect(int k)
{
    (void)k, touch(area);
    check(mprotect(area, PAGE, PROT_READ), "mprotect");
    check(mprotect(area, PAGE, PROT_READ | PROT_WRITE), "mprotect");
}
static void one_malloc(int k)
{
    (void)k;
    char *p = malloc(256 << 10);
    check(!p, "malloc");
    touch(p + 8);
    free(p);
}

static pid_t copy; /* a child that shares all pages until they are written to */
static void share(void)
{
    for (size_t n = 0; n < CALLS; n++)
        touch(area + n * PAGE);
    check((copy = fork()) < 0, "fork");
    if (!copy)
        for (;;)
            pause();
}
static void unshare_pages(void)
{
    kill(copy, SIGKILL);
    waitpid(copy, NULL, 0);
}
static void map_large(void)
{
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    malloc_trim(0); /* or the next one would come from what the heap still holds */
}
static void keep_large(void)
{
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    one_malloc(0);
}

static const struct kind {
    const char *name, *title;
    void (*call)(int k);
    int calls; /* of a batch, which should take about a millisecond */
    enum partner partner;
    void (*before)(void), (*after)(void);
} kinds[] = {
    {"touch", "write to a page", one_touch, CALLS, SPINNING, NULL, NULL},
    {"dontneed", "MADV_DONTNEED, 1 page", one_dontneed, CALLS, SPINNING, NULL, NULL},
    {"absent", "  page not present", one_absent, CALLS, SPINNING, NULL, NULL},
    {"span", "  64 pages in one call", one_span, 10, SPINNING, NULL, NULL},
    {"huge", "  one page of 2 MiB", one_huge, 10, SPINNING, NULL, NULL},
    {"asleep", "  other thread asleep", one_dontneed, CALLS, SLEEPING, NULL, NULL},
    {"process", "  other process instead", one_dontneed, CALLS, PROCESS, NULL, NULL},
    {"free", "MADV_FREE, 1 page", one_free, CALLS, SPINNING, NULL, NULL},
    {"munmap", "munmap, 1 page", one_munmap, CALLS, SPINNING, NULL, NULL},
    {"munmap_absent", "  page never touched", one_munmap_absent, CALLS, SPINNING, NULL, NULL},
    {"protect", "mprotect, read-only and back", one_protect, CALLS, SPINNING, NULL, NULL},
    {"cow", "write to a page after fork", one_touch, CALLS, SPINNING, share, unshare_pages},
    {"malloc_map", "free(256 KiB), mapped", one_malloc, CALLS, SPINNING, map_large, NULL},
    {"malloc_heap", "free(256 KiB), kept in heap", one_malloc, CALLS, SPINNING, keep_large, NULL},
};
enum { KINDS = sizeof kinds / sizeof *kinds };
static double sent[KINDS][ROUNDS], seconds[KINDS][ROUNDS], speed[KINDS][ROUNDS];

/* Whether the partner ran, or slept, all the while. */
static int batch(const struct kind *kind, double *per_call, double *time, double *turns)
{
    int which = kind->partner == PROCESS;
    struct spinner *s = &spinners[which];
    uint64_t t = s->turns;
    if (kind->partner != SLEEPING) {
        __atomic_store_n(&s->spin, 1, __ATOMIC_RELAXED);
        sem_post(&s->go);
        while (__atomic_load_n(&s->turns, __ATOMIC_RELAXED) == t)
            sched_yield();
    }
    if (kind->before)
        kind->before();
    for (int k = 0; k < 3 && !kind->after; k++)
        kind->call(k); /* warm-up */
    long before = received(there);
    double ran = clock_of(clocks[which]), start = clock_of(CLOCK_MONOTONIC);
    t = __atomic_load_n(&s->turns, __ATOMIC_RELAXED);
    for (int k = 0; k < kind->calls; k++)
        kind->call(k);
    t = __atomic_load_n(&s->turns, __ATOMIC_RELAXED) - t;
    double wall = clock_of(CLOCK_MONOTONIC) - start;
    ran = clock_of(clocks[which]) - ran;
    *per_call = (double)(received(there) - before) / kind->calls;
    *time = wall / kind->calls;
    *turns = (double)t / wall;
    if (kind->after)
        kind->after();
    __atomic_store_n(&s->spin, 0, __ATOMIC_RELAXED);
    return kind->partner == SLEEPING || ran > 0.9 * wall;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print(const char *name, const char *suffix, const double *values, const char *end)
{
    printf("\"%s%s\": [", name, suffix);
    for (int r = 0; r < ROUNDS; r++)
        printf("%s%.5g", r ? ", " : "", values[r]);
    printf("]%s", end);
}

int main(int argc, char **argv)
{
    int show = argc == 2 && !strcmp(argv[1], "show");
    errno = EINVAL;
    check(!show && (argc != 2 || strcmp(argv[1], "bench")), "usage: shoot show|bench");
    choose_cpus();
    area = mmap(NULL, 2 * CALLS * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    huge = mmap(NULL, 2 * HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check(area == MAP_FAILED || huge == MAP_FAILED, "mmap");
    huge = (char *)(((uintptr_t)huge + HUGE - 1) & ~(HUGE - 1));
    check(madvise(area, 2 * CALLS * PAGE, MADV_NOHUGEPAGE), "MADV_NOHUGEPAGE");
    check(madvise(huge, HUGE, MADV_HUGEPAGE), "MADV_HUGEPAGE");
    start_spinners();
    pin(here);
    int failed = 0;
    for (int r = 0; r < ROUNDS && !failed; r++)
        for (int k = 0; k < KINDS && !failed; k++) {
            int tries = 0;
            while (!batch(&kinds[k], &sent[k][r], &seconds[k][r], &speed[k][r]) && !failed)
                failed = ++tries == TRIES;
        }
    kill(child, SIGKILL);
    errno = EBUSY;
    check(failed, "the second processor had hardly any time for the spinner");
    if (!show)
        printf("{");
    else
        printf("%-28s %s\n", "shootdowns per call", "at the second processor");
    for (int k = 0; k < KINDS; k++)
        if (show) {
            qsort(sent[k], ROUNDS, sizeof **sent, ascending);
            printf("%-28s %.1f\n", kinds[k].title, sent[k][ROUNDS / 2]);
        } else {
            print(kinds[k].name, "", sent[k], ", ");
            print(kinds[k].name, "_time", seconds[k], ", ");
            print(kinds[k].name, "_speed", speed[k], k == KINDS - 1 ? "}\n" : ", ");
        }
    return 0;
}
