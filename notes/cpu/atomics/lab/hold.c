/* A lock that is held while another thread asks for it: hold KIND TIMES prints what the asking costs.

   KIND: mutex, adaptive (PTHREAD_MUTEX_ADAPTIVE_NP), spin, or free, a mutex that nobody holds. The
   holder sleeps for 20 ms with the lock. cpu: CPU time of the asking thread in all its calls;
   waited: the time that passed in them; switches: how often it gave up its CPU of its own accord. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static pthread_mutex_t mutex;
static pthread_spinlock_t spin;
static int spinning, nobody;
static long times;
static sem_t ask, again;

static double clock_of(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static long switches(void)
{
    struct rusage used;
    getrusage(RUSAGE_THREAD, &used);
    return used.ru_nvcsw;
}

static void lock(void) { spinning ? pthread_spin_lock(&spin) : pthread_mutex_lock(&mutex); }
static void unlock(void) { spinning ? pthread_spin_unlock(&spin) : pthread_mutex_unlock(&mutex); }

static void *hold(void *arg)
{
    const struct timespec held = {0, 20000000};
    for (long k = 0; k < times; k++) {
        if (!nobody)
            lock();
        sem_post(&ask);
        nanosleep(&held, NULL);
        if (!nobody)
            unlock();
        sem_wait(&again);
    }
    return arg;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    times = atol(argv[2]);
    spinning = !strcmp(argv[1], "spin");
    nobody = !strcmp(argv[1], "free");
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    if (!strcmp(argv[1], "adaptive"))
        pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&mutex, &kind);
    pthread_spin_init(&spin, 0);
    sem_init(&ask, 0, 0);
    sem_init(&again, 0, 0);
    pthread_t holder;
    if (pthread_create(&holder, NULL, hold, NULL))
        return 2;
    double cpu = 0, waited = 0;
    long slept = 0;
    for (long k = 0; k < times; k++) {
        sem_wait(&ask);
        long before = switches();
        double cpu_before = clock_of(CLOCK_THREAD_CPUTIME_ID), at = clock_of(CLOCK_MONOTONIC);
        lock();
        waited += clock_of(CLOCK_MONOTONIC) - at;
        cpu += clock_of(CLOCK_THREAD_CPUTIME_ID) - cpu_before;
        slept += switches() - before;
        unlock();
        sem_post(&again);
    }
    pthread_join(holder, NULL);
    printf("{\"cpu\": %.6f, \"waited\": %.6f, \"switches\": %ld}\n", cpu, waited, slept);
    return 0;
}
