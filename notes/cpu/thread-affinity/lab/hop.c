/* What a move to another CPU costs: walk the same lines on one CPU, or on two in turn. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINE = 64 };
typedef struct line { struct line *next; char rest[LINE - sizeof(void *)]; } line;
static int cpus[2], moves;

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void go(int cpu)
{
    int from = sched_getcpu();
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set)) {
        perror("sched_setaffinity");
        exit(1);
    }
    moves += sched_getcpu() != from;
}

/* The hardware threads of this CPU's core, as the kernel lists them; two of them share caches. */
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

/* One ring through all lines in random order, so that no prefetcher foresees the next one. */
static line *ring(size_t n)
{
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

static double walk(line *at, size_t n)
{
    double start = cpu_seconds();
    for (size_t i = 0; i < n; i++)
        at = at->next;
    __asm__ volatile("" : : "r"(at));
    return cpu_seconds() - start;
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
    size_t n = (argc > 1 ? atol(argv[1]) : 512) * 1024 / LINE;
    int rounds = argc > 2 ? atoi(argv[2]) : 31, found = 0, hop_moves = 0, stay_moves = 0;
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    char first[100] = "", other[100];
    for (int cpu = 0; cpu < CPU_SETSIZE && found < 2; cpu++)
        if (CPU_ISSET(cpu, &set)) {
            siblings(cpu, other, sizeof other);
            if (!found || !other[0] || strcmp(first, other))
                cpus[found++] = cpu;
            if (found == 1)
                snprintf(first, sizeof first, "%s", other);
        }
    if (found < 2) {
        fprintf(stderr, "needs CPUs of two cores\n");
        return 1;
    }
    line *all = ring(n);
    double *stay = calloc(rounds, sizeof *stay), *again = calloc(rounds, sizeof *again);
    double *hop = calloc(rounds, sizeof *hop);
    for (int r = 0; r < rounds; r++) {
        go(cpus[r % 2]);
        walk(all, n), walk(all, n);             /* warm on this CPU */
        moves = 0;
        go(cpus[r % 2]), stay[r] = walk(all, n);
        go(cpus[r % 2]), again[r] = walk(all, n);
        stay_moves += moves, moves = 0;
        go(cpus[(r + 1) % 2]), hop[r] = walk(all, n);
        hop_moves += moves;
    }
    printf("{\"stay_moves\": %d, \"hop_moves\": %d, ", stay_moves, hop_moves);
    print("stay", stay, rounds, ", ");
    print("again", again, rounds, ", ");
    print("hop", hop, rounds, "}\n");
    return 0;
}
