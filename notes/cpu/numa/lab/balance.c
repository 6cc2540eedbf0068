/* Automatic NUMA balancing: balance [SECONDS [POLICY]]

   Writes 16 MiB on node 0, moves to the CPU of node 1, and reads until nine tenths of the pages
   have followed or the time is over. POLICY is none, preferred or bind, each of node 0, or stay:
   then it does not move, and a second thread sleeps. */
#include "common.h"
#include <time.h>

enum { PAGES = 4096, ENOUGH = PAGES / 10 * 9 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static long on_node_1(char *p)
{
    static void *at[PAGES];
    static int node[PAGES];
    long n = 0;
    for (int i = 0; i < PAGES; i++)
        at[i] = p + (long)i * PAGE;
    syscall(SYS_move_pages, 0, (long)PAGES, at, NULL, node, 0);
    for (int i = 0; i < PAGES; i++)
        n += node[i] == 1;
    return n;
}

static void *sleeper(void *unused) { pause(); return unused; }

int main(int argc, char **argv)
{
    double seconds = argc > 2 ? atof(argv[2]) : 20;
    const char *name = argc > 1 ? argv[1] : "default", *mode = argc > 3 ? argv[3] : "none";
    run_on(0);
    if (!strcmp(mode, "preferred")) set_policy(MPOL_PREFERRED, 1);
    if (!strcmp(mode, "bind")) set_policy(MPOL_BIND, 1);
    char *p = fresh(PAGES);
    write_pages(p, 0, PAGES, 1);
    long faults = counter("/proc/vmstat", "numa_hint_faults");
    long local = counter("/proc/vmstat", "numa_hint_faults_local");
    long moved = counter("/proc/vmstat", "numa_pages_migrated");
    long updates = counter("/proc/vmstat", "numa_pte_updates");
    pthread_t t;
    if (strcmp(mode, "stay")) run_on(1);
    else pthread_create(&t, NULL, sleeper, NULL);
    double begin = now();
    long there = 0;
    while (now() - begin < seconds && there < ENOUGH)
        for (int i = 0; i < 50 || (there = on_node_1(p), 0); i++)
            read_pages(p, 0, PAGES);
    printf("%s_followed %ld\n", name, there);
    printf("%s_faults %ld\n", name, counter("/proc/vmstat", "numa_hint_faults") - faults);
    printf("%s_local %ld\n", name, counter("/proc/vmstat", "numa_hint_faults_local") - local);
    printf("%s_moved %ld\n", name, counter("/proc/vmstat", "numa_pages_migrated") - moved);
    printf("%s_updates %ld\n", name, counter("/proc/vmstat", "numa_pte_updates") - updates);
    return 0;
}
