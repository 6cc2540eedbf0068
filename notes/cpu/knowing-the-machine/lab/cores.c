/* Are two CPUs two cores, or two hardware threads of one? Time the same work on one CPU while the
   other one is idle, and while it does the same. The work fills the one multiplier of a core. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TURNS = 300000 };
static pthread_barrier_t meet;
static int cpus[2], rounds;
static atomic_int done;
typedef struct { double begin, end; } span;
static span first, second;

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Independent multiplications: four or eight chains. A chain's next step waits for the last one. */
#define M(r) "imul %[k], %[" #r "]\n"
#define CHAINS(name, body) \
    __attribute__((noipa)) static void name(long n) \
    { \
        long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8; \
        while (n--) \
            __asm__ volatile(body : [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [d] "+r"(d), \
                             [e] "+r"(e), [f] "+r"(f), [g] "+r"(g), [h] "+r"(h) : [k] "r"(3L)); \
    }
CHAINS(four, M(a) M(b) M(c) M(d) M(a) M(b) M(c) M(d))
CHAINS(eight, M(a) M(b) M(c) M(d) M(e) M(f) M(g) M(h) M(a) M(b) M(c) M(d) M(e) M(f) M(g) M(h))

static double timed(void (*work)(long), span *when)
{
    if (when)
        when->begin = now(CLOCK_MONOTONIC);
    double start = now(CLOCK_THREAD_CPUTIME_ID);
    work(TURNS);
    double took = now(CLOCK_THREAD_CPUTIME_ID) - start;
    if (when)
        when->end = now(CLOCK_MONOTONIC);
    return took;
}

static void pin(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

static void *partner(void *unused)
{
    pin(cpus[1]);
    for (;;) {
        pthread_barrier_wait(&meet);
        if (atomic_load(&done))
            return unused;
        timed(four, &second);
        pthread_barrier_wait(&meet);
    }
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

static void print(const char *name, const double *v, int n, const char *end)
{
    printf("\"%s\": [", name);
    for (int i = 0; i < n; i++)
        printf("%s%.9f", i ? ", " : "", v[i]);
    printf("]%s", end);
}

int main(int argc, char **argv)
{
    rounds = argc > 1 ? atoi(argv[1]) : 31;
    cpu_set_t set;
    char one[100] = "", other[100];
    int found = 0;
    sched_getaffinity(0, sizeof set, &set);
    for (int cpu = 0; cpu < CPU_SETSIZE && found < 2; cpu++)
        if (CPU_ISSET(cpu, &set)) {
            siblings(cpu, other, sizeof other);
            if (!found || !other[0] || strcmp(one, other))
                cpus[found++] = cpu;
            if (found == 1)
                snprintf(one, sizeof one, "%s", other);
        }
    if (found < 2) {
        fprintf(stderr, "needs CPUs that are listed as two cores\n");
        return 1;
    }
    double *alone = calloc(rounds, sizeof *alone), *both = calloc(rounds, sizeof *both);
    double *doubled = calloc(rounds, sizeof *doubled);
    pthread_barrier_init(&meet, NULL, 2);
    pthread_t thread;
    pthread_create(&thread, NULL, partner, NULL);
    pin(cpus[0]);
    for (int r = 0, tries = 0; r < rounds; tries++) {
        if (tries > 100 * rounds) {
            fprintf(stderr, "the two never ran at the same time\n");
            return 1;
        }
        double a = timed(four, NULL), d = timed(eight, NULL);
        pthread_barrier_wait(&meet);
        double b = timed(four, &first);
        pthread_barrier_wait(&meet);
        double from = first.begin > second.begin ? first.begin : second.begin;
        double to = first.end < second.end ? first.end : second.end;
        if (to - from < 0.8 * (first.end - first.begin))
            continue;                           /* they did not run together */
        alone[r] = a, both[r] = b, doubled[r] = d, r++;
    }
    atomic_store(&done, 1);
    pthread_barrier_wait(&meet);
    pthread_join(thread, NULL);
    printf("{");
    print("alone", alone, rounds, ", ");
    print("both", both, rounds, ", ");
    print("doubled", doubled, rounds, "}\n");
    return 0;
}
