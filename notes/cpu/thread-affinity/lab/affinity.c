/* Which CPUs may the threads of an OpenMP program use, and who decided? */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static cpu_set_t mask(void)
{
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    return set;
}

static void print_set(const char *who, const cpu_set_t *set)
{
    printf("%s", who);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, set))
            printf(" %d", cpu);
    printf("\n");
}

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Work for a while; a team meets at a barrier after each piece, as parallel loops do. */
static void work(double piece, int pieces)
{
#pragma omp parallel
    for (int i = 0; i < pieces; i++) {
        double end = seconds(CLOCK_THREAD_CPUTIME_ID) + piece;
        while (seconds(CLOCK_THREAD_CPUTIME_ID) < end)
            ;
#pragma omp barrier
    }
}

/* count FORBIDDEN: the masks as numbers; FORBIDDEN is a CPU outside of the inherited mask, or -1. */
static void count(int forbidden)
{
    cpu_set_t before = mask();
    int each = 0, outside = 0;
#pragma omp parallel reduction(max : each) reduction(+ : outside)
    {
        cpu_set_t mine = mask();
        each = CPU_COUNT(&mine);
        outside = forbidden >= 0 && CPU_ISSET(forbidden, &mine);
    }
    cpu_set_t after = mask();
    printf("{\"before\": %d, \"each\": %d, \"after\": %d, \"outside\": %d}\n",
           CPU_COUNT(&before), each, CPU_COUNT(&after), outside);
}

static void show(void)
{
    cpu_set_t set = mask();
    print_set("initial thread at the start may use CPU", &set);
#pragma omp parallel
    for (int turn = 0; turn < omp_get_num_threads(); turn++) {
#pragma omp barrier
        if (turn == omp_get_thread_num()) {
            char who[80];
            cpu_set_t mine = mask();
            snprintf(who, sizeof who, "thread %d runs on CPU %d, may use CPU", turn, sched_getcpu());
            print_set(who, &mine);
        }
    }
    set = mask();
    print_set("initial thread at the end may use CPU", &set);
}

/* spin MS: burn so many milliseconds of CPU time, and tell on which CPUs. */
static void spin(double ms)
{
    cpu_set_t seen;
    CPU_ZERO(&seen);
    double start = seconds(CLOCK_MONOTONIC);
    while (seconds(CLOCK_THREAD_CPUTIME_ID) < ms * 1e-3)
        CPU_SET(sched_getcpu(), &seen);
    printf("%.6f", seconds(CLOCK_MONOTONIC) - start);
    print_set("", &seen);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "show";
    if (!strcmp(mode, "count"))
        count(argc > 2 ? atoi(argv[2]) : -1);
    else if (!strcmp(mode, "work"))
        work(1e-3, 400);
    else if (!strcmp(mode, "spin"))
        spin(argc > 2 ? atof(argv[2]) : 100);
    else
        show();
    return 0;
}
