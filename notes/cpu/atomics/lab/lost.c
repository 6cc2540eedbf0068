/* Two threads on two cores add to one counter: lost ROUNDS prints how many additions each way loses.
   They meet before each burst of additions, so that they run at the same time. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BURST = 1000 };
static long rounds;
static volatile long plain;
static atomic_long word;
static long guarded;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct { _Alignas(128) atomic_long turn; } arrived[2];
static void (*add)(void);

static void add_volatile(void) { plain++; }
static void add_atomic(void) { atomic_fetch_add_explicit(&word, 1, memory_order_relaxed); }
static void add_twice(void) { atomic_store(&word, atomic_load(&word) + 1); } /* two atomic steps */

static void add_loop(void)
{
    long seen = atomic_load_explicit(&word, memory_order_relaxed);
    while (!atomic_compare_exchange_weak(&word, &seen, seen + 1)) { }
}

static void add_guarded(void)
{
    pthread_mutex_lock(&mutex);
    guarded++;
    pthread_mutex_unlock(&mutex);
}

static void meet(int id, long turn)
{
    atomic_store(&arrived[id].turn, turn);
    for (long spins = 0; atomic_load(&arrived[!id].turn) < turn; spins++)
        if (spins > 100000)
            sched_yield();
}

static void *run(void *arg)
{
    int id = (int)(intptr_t)arg;
    cpu_set_t mine;
    CPU_ZERO(&mine);
    CPU_SET(id, &mine);
    sched_setaffinity(0, sizeof mine, &mine); /* where that is refused, the scheduler decides */
    for (long k = 1; k <= rounds; k++) {
        meet(id, k);
        for (int n = 0; n < BURST; n++)
            add();
    }
    return NULL;
}

static long lost(void (*way)(void))
{
    pthread_t other;
    add = way;
    plain = guarded = 0;
    atomic_store(&word, 0);
    for (int id = 0; id < 2; id++)
        atomic_store(&arrived[id].turn, 0);
    if (pthread_create(&other, NULL, run, (void *)1))
        exit(2);
    run(0);
    pthread_join(other, NULL);
    return 2 * rounds * BURST - plain - guarded - atomic_load(&word);
}

int main(int argc, char **argv)
{
    rounds = argc > 1 ? atol(argv[1]) : 1000;
    printf("{\"made\": %ld, \"volatile\": %ld, ", 2 * rounds * BURST, lost(add_volatile));
    printf("\"atomic\": %ld, \"two_steps\": %ld, ", lost(add_atomic), lost(add_twice));
    printf("\"loop\": %ld, \"mutex\": %ld}\n", lost(add_loop), lost(add_guarded));
    return 0;
}
