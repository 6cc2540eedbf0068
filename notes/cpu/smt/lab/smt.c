/* What a second hardware thread of a core can bring and can cost.

   Usage: smt streams ROUNDS        one and two streams of instructions in one thread, as JSON
          smt pair ROUNDS           each kernel alone, and with a copy of it on a second CPU
          smt neighbour PAIRS       each kernel while the core is all ours, and while it is shared
          smt rings ONE_OR_TWO KIB  walks through one ring or through two in turn (for counting)
   All times are nanoseconds of CPU time for each instruction or load. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 64, MOST = 1000, BATCH = 2000, SLICES = 30000 };
typedef struct line { struct line *next; char rest[LINE - sizeof(void *)]; } line;
typedef struct { double begin, end; } span;

static void fail(const char *why)
{
    fprintf(stderr, "smt: %s\n", why);
    exit(1);
}

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

/* --- The kernels ------------------------------------------------------------------------------ */

#define X4(s) s s s s
#define X16(s) X4(X4(s))
#define REGISTERS "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc"
#define KERNEL(name, body) \
    __attribute__((noipa)) static void name(long turns) \
    { \
        while (turns--) \
            __asm__ volatile(body ::: REGISTERS); \
    }
#define A "imul $3, %%rax, %%rax\n"
#define B "imul $3, %%rcx, %%rcx\n"
/* Additions of ten registers in turn: none waits for the one before it. */
#define FILL "add $1, %%rdx\nadd $1, %%rsi\nadd $1, %%r8\nadd $1, %%r9\nadd $1, %%r10\n" \
             "add $1, %%r11\nadd $1, %%r12\nadd $1, %%r13\nadd $1, %%r14\nadd $1, %%r15\n"
KERNEL(chain, X16(A))                   /* each multiplication waits for the one before it */
KERNEL(two_chains, X16(A B))            /* two such chains, which do not wait for each other */
KERNEL(fill, X16(FILL))
KERNEL(two_fills, X16(FILL FILL))
KERNEL(chain_and_fill, X4(A A A FILL A A A FILL A A A FILL))   /* 36 multiplications, 120 additions */
KERNEL(chain_of_36, X4(A A A A A A A A A))

static line *ring(size_t kib)           /* one ring through all lines, in random order */
{
    size_t n = kib * 1024 / LINE;
    line *all = aligned_alloc(4096, n * sizeof *all);
    size_t *order = malloc(n * sizeof *order);
    unsigned long long x = 88172645463325252ull;
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = n - 1; i > 0; i--) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        size_t j = x % (i + 1), t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
    for (size_t i = 0; i < n; i++)
        all[order[i]].next = &all[order[(i + 1) % n]];
    free(order);
    return all;
}

static __thread line *small_ring, *large_ring;      /* each thread has its own data */

__attribute__((noipa)) static line *walk(line *at, long steps)
{
    while (steps--)
        at = at->next;
    return at;
}

static void small(long steps) { small_ring = walk(small_ring, steps); }
static void large(long steps) { large_ring = walk(large_ring, steps); }

typedef struct { const char *name; void (*run)(long); long turns; double steps; } kernel;
static const kernel kernels[] = {       /* about 100 microseconds each */
    {"chain", chain, 6000, 16},
    {"fill", fill, 7000, 160},
    {"small", small, 50000, 1},         /* a ring of 24 KiB */
    {"large", large, 15000, 1},         /* a ring of 384 KiB */
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static double timed(const kernel *k, span *when)
{
    if (when)
        when->begin = now(CLOCK_MONOTONIC);
    double start = now(CLOCK_THREAD_CPUTIME_ID);
    k->run(k->turns);
    double took = now(CLOCK_THREAD_CPUTIME_ID) - start;
    if (when)
        when->end = now(CLOCK_MONOTONIC);
    return took / (k->turns * k->steps);
}

static void make_data(void)
{
    small_ring = ring(24), large_ring = ring(384);
    for (int k = 0; k < KERNELS; k++)
        timed(&kernels[k], NULL);
}

/* --- CPUs ------------------------------------------------------------------------------------- */

static void pin(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (pthread_setaffinity_np(pthread_self(), sizeof set, &set))
        fail("cannot pin a thread");
}

static void siblings(int cpu, char *list, int size)
{
    char path[100];
    list[0] = 0;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    FILE *f = fopen(path, "r");
    if (f) {
        if (!fgets(list, size, f))
            list[0] = 0;
        fclose(f);
    }
}

/* Two CPUs: hardware threads of one core if the kernel lists such ones, else the first two. */
static int choose(int cpus[2])
{
    cpu_set_t set;
    char one[100], other[100];
    int found = 0;
    sched_getaffinity(0, sizeof set, &set);
    cpus[0] = cpus[1] = -1;
    for (int a = 0; a < CPU_SETSIZE; a++)
        if (CPU_ISSET(a, &set)) {
            if (found < 2)
                cpus[found++] = a;
            siblings(a, one, sizeof one);
            for (int b = a + 1; one[0] && b < CPU_SETSIZE; b++)
                if (CPU_ISSET(b, &set)) {
                    siblings(b, other, sizeof other);
                    if (!strcmp(one, other)) {
                        cpus[0] = a, cpus[1] = b;
                        return 1;
                    }
                }
        }
    return 0;
}

/* --- The four modes --------------------------------------------------------------------------- */

static void print(const char *name, const double *v, int n)
{
    static int many;
    printf("%s\"%s\": [", many++ ? ", " : "{", name);
    for (int i = 0; i < n; i++)
        printf("%s%.6g", i ? ", " : "", v[i]);
    printf("]");
}

static void streams(int rounds)
{
    static const kernel all[] = {       /* steps: the work of one stream */
        {"one_chain", chain, 6000, 16}, {"two_chains", two_chains, 6000, 16},
        {"one_fill", fill, 6000, 160},  {"two_fills", two_fills, 6000, 160},
        {"chain_of_36", chain_of_36, 3000, 36}, {"chain_and_fill", chain_and_fill, 3000, 36},
    };
    enum { N = sizeof all / sizeof *all };
    static double took[N][MOST];
    for (int r = -1; r < rounds; r++)   /* the first round is not counted */
        for (int i = 0; i < N; i++) {
            double t = timed(&all[i], NULL);
            if (r >= 0)
                took[i][r] = t;
        }
    for (int i = 0; i < N; i++)
        print(all[i].name, took[i], rounds);
    printf("}\n");
}

static pthread_barrier_t meet;
static atomic_int work = -1, done;
static int cpus[2];
static span mine, theirs;

static void *copy(void *unused)
{
    pin(cpus[1]);
    make_data();
    for (;;) {
        pthread_barrier_wait(&meet);
        if (atomic_load(&done))
            return unused;
        const kernel *k = &kernels[atomic_load(&work)];
        span last;                      /* three in a row, so that our second one lies within */
        timed(k, &theirs), timed(k, NULL), timed(k, &last);
        theirs.end = last.end;
        pthread_barrier_wait(&meet);
    }
}

static void pair(int rounds)
{
    static double alone[KERNELS][MOST], both[KERNELS][MOST], again[KERNELS][MOST];
    int one_core = choose(cpus);
    if (cpus[1] < 0)
        fail("needs two CPUs");
    pthread_t thread;
    pthread_barrier_init(&meet, NULL, 2);
    pthread_create(&thread, NULL, copy, NULL);
    pin(cpus[0]);
    make_data();
    for (int k = 0; k < KERNELS; k++)
        for (int r = 0, tries = 0; r < rounds; tries++) {
            if (tries > 100 * rounds)
                fail("the two copies never ran at the same time");
            atomic_store(&work, k);
            timed(&kernels[k], NULL);   /* its data are in the caches, as far as they stay there */
            double a = timed(&kernels[k], NULL), c = timed(&kernels[k], NULL);
            pthread_barrier_wait(&meet);
            timed(&kernels[k], NULL);
            double b = timed(&kernels[k], &mine);
            pthread_barrier_wait(&meet);
            double from = mine.begin > theirs.begin ? mine.begin : theirs.begin;
            double to = mine.end < theirs.end ? mine.end : theirs.end;
            if (to - from < 0.8 * (mine.end - mine.begin))
                continue;               /* they did not run together */
            alone[k][r] = a, again[k][r] = c, both[k][r] = b, r++;
        }
    atomic_store(&done, 1);
    pthread_barrier_wait(&meet);
    pthread_join(thread, NULL);
    double told = one_core;
    print("one_core", &told, 1);
    for (int k = 0; k < KERNELS; k++) {
        char name[40];
        snprintf(name, sizeof name, "%s_alone", kernels[k].name), print(name, alone[k], rounds);
        snprintf(name, sizeof name, "%s_again", kernels[k].name), print(name, again[k], rounds);
        snprintf(name, sizeof name, "%s_both", kernels[k].name), print(name, both[k], rounds);
    }
    printf("}\n");
}

static void *come_and_go(void *unused)  /* a neighbour of our own, if we have both threads of a core */
{
    pin(cpus[1]);
    make_data();
    while (!atomic_load(&done)) {
        for (double until = now(CLOCK_MONOTONIC) + 5e6; now(CLOCK_MONOTONIC) < until;)
            timed(&kernels[1], NULL);
        usleep(5000);
    }
    return unused;
}

static long context_switches(void)
{
    struct rusage used;
    getrusage(RUSAGE_THREAD, &used);
    return used.ru_nvcsw + used.ru_nivcsw;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Each kernel runs between two short probes, which fill the core. If both probes run at full speed, the
   core was ours; if both take at least 4/3 of that time, something else used the core meanwhile. The
   kernel itself has no say in it. Each slice of the second kind is paired with the nearest of the first. */
static void neighbour(int pairs)
{
    static double before[SLICES], during[SLICES], after[SLICES], sorted[SLICES];
    static double quiet[MOST], busy[MOST];
    static char ours[SLICES], used[SLICES];
    static const kernel probe = {"probe", fill, 2000, 160};
    pthread_t thread;
    int own = choose(cpus), n;
    if (own)
        pthread_create(&thread, NULL, come_and_go, NULL);
    pin(cpus[0]);
    make_data();
    double share[KERNELS];
    for (int k = 0; k < KERNELS; k++) {
        int found = 0, shared = 0;
        double full = 0;
        for (n = 0; found < pairs; ) {
            if (n == SLICES)
                fail("too few moments with and without another thread on the core");
            for (int end = n + BATCH; n < end; ) {
                long switches = context_switches();
                timed(&kernels[k], NULL);       /* its data are in the caches, as far as they stay there */
                before[n] = timed(&probe, NULL);
                during[n] = timed(&kernels[k], NULL);
                after[n] = timed(&probe, NULL);
                n += context_switches() == switches;    /* else another program of ours was in between */
            }
            memcpy(sorted, before, n * sizeof *sorted);
            qsort(sorted, n, sizeof *sorted, by_value);
            full = sorted[n / 50];              /* the fastest fiftieth */
            found = shared = 0;
            for (int i = 0; i < n; i++) {
                ours[i] = before[i] < 1.08 * full && after[i] < 1.08 * full;
                used[i] = before[i] > 4 / 3. * full && after[i] > 4 / 3. * full;
                shared += used[i];
            }
            for (int i = 0; i < n && found < pairs; i++)
                for (int d = 1; used[i] && d < BATCH; d++) {
                    int j = i >= d && ours[i - d] ? i - d : i + d < n && ours[i + d] ? i + d : -1;
                    if (j >= 0) {
                        quiet[found] = during[j], busy[found] = during[i], found++;
                        ours[j] = 0;            /* each moment once */
                        i += 5;                 /* spread the pairs */
                        break;
                    }
                }
        }
        share[k] = (double)shared / n;
        char name[40];
        snprintf(name, sizeof name, "%s_quiet", kernels[k].name), print(name, quiet, pairs);
        snprintf(name, sizeof name, "%s_busy", kernels[k].name), print(name, busy, pairs);
    }
    atomic_store(&done, 1);
    if (own)
        pthread_join(thread, NULL);
    double told = own;
    print("own", &told, 1);
    print("shared", share, KERNELS);
    printf("}\n");
}

__attribute__((noipa)) static void in_turn(line *a, line *b, long steps)
{
    while (steps--)
        a = a->next, b = b->next;
    __asm__ volatile("" : : "r"(a), "r"(b));
}

static void rings(const char *which, size_t kib)
{
    long n = kib * 1024 / LINE;
    line *a = ring(kib), *b = strcmp(which, "two") ? a : ring(kib);
    walk(a, n), walk(b, n), walk(a, n); /* not counted: the first misses of each line */
    in_turn(a, b, 50 * n);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 2 ? argv[1] : "";
    if (!strcmp(mode, "rings") && argc > 3)
        return rings(argv[2], atol(argv[3])), 0;
    long rounds = argc > 2 ? atol(argv[2]) : 0;
    if (rounds < 1 || rounds > MOST)
        fail("a number is missing or out of range");
    if (!strcmp(mode, "streams"))
        streams(rounds);
    else if (!strcmp(mode, "pair"))
        pair(rounds);
    else if (!strcmp(mode, "neighbour"))
        neighbour(rounds);
    else
        fail("streams, pair, neighbour or rings");
    return 0;
}
