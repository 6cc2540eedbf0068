/* How much CPU time the process is charged while one thread works and the others wait for it.
   wait N   uses N ms of CPU time in the first thread, between two parallel regions */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double clock_of(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

int main(int argc, char **argv)
{
    double serial = argc > 1 ? atof(argv[1]) : 200;
    int threads = 0;
#pragma omp parallel
#pragma omp atomic
    threads++;
    double all = clock_of(CLOCK_PROCESS_CPUTIME_ID), own = clock_of(CLOCK_THREAD_CPUTIME_ID);
    while (clock_of(CLOCK_THREAD_CPUTIME_ID) - own < serial) {
    }
    all = clock_of(CLOCK_PROCESS_CPUTIME_ID) - all;
    printf("{\"charged\": %f, \"threads\": %d}\n", all / serial, threads);
}
