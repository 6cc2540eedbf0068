/* Two threads on two cores, each with a counter of its own; the distance of the counters varies.
 *
 *   sharing layout                      distances and lines, as JSON
 *   sharing count together|apart|many   increments without a clock, for a cache simulator
 *   sharing bench                       ns per increment, as JSON
 *
 * The threads meet before every short burst. Only bursts in which both ran at the same time are
 * counted: when the scheduler or a hypervisor stops one of them, there is nothing to share.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINE = 64, ROUNDS = 21, BURSTS = 300, STEPS = 2000, MANY = 4096, SPIN = 1000000 };
typedef volatile uint64_t counter;

static struct {
    _Alignas(128) counter first;
    counter together;              /* in the same line */
    _Alignas(64) counter next_line;
    _Alignas(128) counter apart;
} data;
static struct { _Alignas(64) counter one, two; } both_aligned; /* the trap: aligns one AND two */
static _Alignas(64) counter many[MANY * LINE / sizeof(counter)];

__attribute__((noinline)) void bump(counter *p, long steps)
{
    for (long k = 0; k < steps; k++)
        ++*p;
}

__attribute__((noinline)) void bump_atomic(counter *p, long steps)
{
    for (long k = 0; k < steps; k++)
        __atomic_fetch_add(p, 1, __ATOMIC_RELAXED);
}

typedef struct { const char *name; void (*work)(counter *, long); counter *second; } variant;
static const variant variants[] = {
    {"atomic_together", bump_atomic, &data.together}, {"atomic_apart", bump_atomic, &data.apart},
    {"atomic_again", bump_atomic, &data.apart}, {"atomic_next_line", bump_atomic, &data.next_line},
    {"plain_together", bump, &data.together}, {"plain_apart", bump, &data.apart},
    {"plain_again", bump, &data.apart}};
enum { VARIANTS = sizeof variants / sizeof *variants, TOTAL = ROUNDS * BURSTS * VARIANTS };

static struct { double begin, end; } burst[2][TOTAL];
static struct { _Alignas(128) uint64_t at; } arrived[2];
static int cpus[2];

static void die(const char *message)
{
    fprintf(stderr, "sharing: %s\n", message);
    exit(2);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The numbers of the hardware threads of a CPU's core, as the kernel writes them. */
static void siblings(int cpu, char *text, int size)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    FILE *f = fopen(path, "r");
    if (!f || !fgets(text, size, f))
        snprintf(text, (size_t)size, "%d", cpu);
    if (f)
        fclose(f);
}

static void choose_cpus(void)
{
    cpu_set_t allowed;
    char first[256], other[256];
    int found = 0;
    if (sched_getaffinity(0, sizeof allowed, &allowed))
        die("sched_getaffinity failed");
    for (int cpu = 0; cpu < CPU_SETSIZE && found < 2; cpu++)
        if (CPU_ISSET(cpu, &allowed)) {
            siblings(cpu, found ? other : first, sizeof first);
            if (!found || strcmp(first, other))
                cpus[found++] = cpu;
        }
    if (found < 2)
        die("needs two cores");
}

/* Spins, so that both leave at once; yields when the other seems to be off its core. */
static void meet(int id, uint64_t round)
{
    __atomic_store_n(&arrived[id].at, round, __ATOMIC_RELEASE);
    for (long spins = 0; __atomic_load_n(&arrived[!id].at, __ATOMIC_ACQUIRE) < round; spins++)
        if (spins > SPIN)
            sched_yield();
}

static void *run(void *arg)
{
    int id = (int)(intptr_t)arg;
    cpu_set_t mine;
    CPU_ZERO(&mine);
    CPU_SET(cpus[id], &mine);
    if (sched_setaffinity(0, sizeof mine, &mine))
        die("sched_setaffinity failed");
    for (int k = 0; k < TOTAL; k++) {
        const variant *v = &variants[k % VARIANTS];
        counter *p = id ? v->second : &data.first;
        v->work(p, STEPS / 20); /* fetches the line, after the last variant */
        meet(id, (uint64_t)k + 1);
        burst[id][k].begin = now();
        v->work(p, STEPS);
        burst[id][k].end = now();
    }
    return NULL;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The share of the longer burst in which both threads were in theirs. Of the longer one, since a
   thread that is taken off its core in the middle has a long burst and writes nothing meanwhile. */
static double overlap(int k)
{
    double from = burst[0][k].begin, to = burst[0][k].end, longer = to - from;
    if (burst[1][k].end - burst[1][k].begin > longer)
        longer = burst[1][k].end - burst[1][k].begin;
    if (burst[1][k].begin > from)
        from = burst[1][k].begin;
    if (burst[1][k].end < to)
        to = burst[1][k].end;
    return to > from ? (to - from) / longer : 0;
}

static void bench(void)
{
    choose_cpus();
    pthread_t other;
    if (pthread_create(&other, NULL, run, (void *)1))
        die("no second thread");
    run((void *)0);
    pthread_join(other, NULL);
    uint64_t sum = data.first + data.together + data.apart + data.next_line;
    if (sum != 2ull * TOTAL * (STEPS + STEPS / 20))
        die("increments were lost");
    long met = 0;
    printf("{");
    for (int v = 0; v < VARIANTS; v++) {
        printf("\"%s\": [", variants[v].name);
        int samples = 0;
        for (int round = 0; round < ROUNDS; round++) {
            double ns[BURSTS];
            int n = 0;
            for (int b = 0; b < BURSTS; b++) {
                int k = (round * BURSTS + b) * VARIANTS + v;
                if (overlap(k) > 0.8) {
                    ns[n++] = (burst[0][k].end - burst[0][k].begin) / STEPS;
                    met++;
                }
            }
            if (n < 10)
                continue; /* too few to say anything */
            qsort(ns, (size_t)n, sizeof *ns, ascending);
            printf("%s%.4f", samples++ ? ", " : "", ns[n / 2]);
        }
        if (samples < 5) {
            printf("\n");
            die("the threads hardly ever ran at the same time");
        }
        printf("], ");
    }
    printf("\"bursts\": %d, \"met\": %ld}\n", (int)TOTAL, met);
}

static void layout(void)
{
    const counter *first = &data.first;
    const counter *second[] = {&data.together, &data.next_line, &data.apart};
    const char *names[] = {"together", "next_line", "apart"};
    printf("{");
    for (int k = 0; k < 3; k++) {
        uintptr_t a = (uintptr_t)first, b = (uintptr_t)second[k];
        printf("\"%s_distance\": %ld, ", names[k], (long)(b - a));
        printf("\"%s_lines\": %d, ", names[k], a / LINE == b / LINE ? 1 : 2);
    }
    uintptr_t one = (uintptr_t)&both_aligned.one, two = (uintptr_t)&both_aligned.two;
    printf("\"trap_distance\": %ld, ", (long)(two - one));
    printf("\"trap_lines\": %d}\n", one / LINE == two / LINE ? 1 : 2);
}

enum { COUNTED = 100000 };

static void *counted(void *p)
{
    bump(p, COUNTED);
    return NULL;
}

static void count(const char *mode)
{
    if (!strcmp(mode, "many")) {
        for (int pass = 0; pass < 2; pass++)
            for (size_t k = 0; k < MANY; k++)
                bump(&many[k * LINE / sizeof(counter)], 1);
        return;
    }
    counter *second = !strcmp(mode, "together") ? &data.together : &data.apart;
    if (second == &data.apart && strcmp(mode, "apart"))
        die("the mode must be together, apart or many");
    pthread_t other;
    if (pthread_create(&other, NULL, counted, (void *)(uintptr_t)second))
        die("no second thread");
    counted((void *)(uintptr_t)&data.first);
    pthread_join(other, NULL);
    if (data.first != COUNTED || *second != COUNTED)
        die("increments were lost");
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "layout"))
        layout();
    else if (argc == 2 && !strcmp(argv[1], "bench"))
        bench();
    else if (argc == 3 && !strcmp(argv[1], "count"))
        count(argv[2]);
    else
        die("usage: sharing layout | sharing count together|apart|many | sharing bench");
    return 0;
}
