/* Short sections on two cores: ns for each, as JSON. "own": each thread has a lock of its own.

   The threads meet before each burst; bursts in which they did not run at the same time are thrown
   away. In "alone" the second thread waits for the next meeting. Ways alternate from burst to burst. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 21, BURSTS = 40, STEPS = 2000 };

struct set {
    _Alignas(128) pthread_rwlock_t rwlock;
    _Alignas(128) pthread_mutex_t mutex;
    _Alignas(128) atomic_long counter;
};

static struct set sets[2];
static _Alignas(128) long data = 1;
static struct { _Alignas(128) atomic_long turn; } place[2];
static _Alignas(128) volatile long sink[2][16];

static long read_rwlock(struct set *s)
{
    pthread_rwlock_rdlock(&s->rwlock);
    long seen = *(volatile long *)&data;
    pthread_rwlock_unlock(&s->rwlock);
    return seen;
}

static long read_mutex(struct set *s)
{
    pthread_mutex_lock(&s->mutex);
    long seen = *(volatile long *)&data;
    pthread_mutex_unlock(&s->mutex);
    return seen;
}

static long read_plain(struct set *s)
{
    (void)s;
    return *(volatile long *)&data;
}

static long count(struct set *s)
{
    return atomic_fetch_add_explicit(&s->counter, 1, memory_order_relaxed);
}

enum { ALONE, SHARED, OWN };
static const struct { const char *name; long (*step)(struct set *); int how; } ways[] = {
    {"rwlock_alone", read_rwlock, ALONE}, {"rwlock_shared", read_rwlock, SHARED},
    {"rwlock_own", read_rwlock, OWN}, {"rwlock_own_again", read_rwlock, OWN},
    {"mutex_alone", read_mutex, ALONE}, {"mutex_shared", read_mutex, SHARED},
    {"plain_alone", read_plain, ALONE}, {"plain_shared", read_plain, SHARED},
    {"counter_shared", count, SHARED}, {"counter_own", count, OWN},
    {"counter_own_again", count, OWN}};
enum { WAYS = sizeof ways / sizeof *ways, TOTAL = ROUNDS * BURSTS * WAYS };
static struct { double begin, end; } burst[2][TOTAL];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void meet(int id, long turn)
{
    atomic_store(&place[id].turn, turn);
    for (long spins = 0; atomic_load(&place[!id].turn) < turn; spins++)
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
    for (int k = 0; k < TOTAL; k++) {
        int how = ways[k % WAYS].how;
        struct set *s = &sets[how == OWN ? id : 0];
        long seen = 0; /* a local variable: the other thread looks at the line of its turn */
        meet(id, k + 1);
        burst[id][k].begin = now();
        for (int n = 0; n < STEPS && !(id && how == ALONE); n++)
            seen += ways[k % WAYS].step(s);
        burst[id][k].end = now();
        sink[id][0] = seen;
    }
    return NULL;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of the longer burst, the share in which both threads were in theirs. */
static double overlap(int k)
{
    double from = burst[0][k].begin, to = burst[0][k].end, other = burst[1][k].end - burst[1][k].begin;
    double longer = to - from > other ? to - from : other;
    from = burst[1][k].begin > from ? burst[1][k].begin : from;
    to = burst[1][k].end < to ? burst[1][k].end : to;
    return to > from ? (to - from) / longer : 0;
}

static void print(int way)
{
    int samples = 0;
    printf("\"%s\": [", ways[way].name);
    for (int round = 0; round < ROUNDS; round++) {
        double ns[BURSTS];
        int n = 0;
        for (int b = 0; b < BURSTS; b++) {
            int k = (round * BURSTS + b) * WAYS + way;
            if (ways[way].how == ALONE || overlap(k) > 0.7)
                ns[n++] = (burst[0][k].end - burst[0][k].begin) / STEPS;
        }
        if (n < 3)
            continue; /* too few to say anything */
        qsort(ns, (size_t)n, sizeof *ns, ascending);
        printf("%s%.3f", samples++ ? ", " : "", ns[n / 2]);
    }
    printf("]");
    if (samples < 5) {
        fprintf(stderr, "scale: the threads hardly ever ran at the same time\n");
        exit(2);
    }
}

int main(void)
{
    pthread_t other;
    for (int k = 0; k < 2; k++) {
        pthread_rwlock_init(&sets[k].rwlock, NULL);
        pthread_mutex_init(&sets[k].mutex, NULL);
    }
    if (pthread_create(&other, NULL, run, (void *)1))
        return 2;
    run(0);
    pthread_join(other, NULL);
    printf("{");
    for (int way = 0; way < WAYS; way++) {
        print(way);
        printf(way + 1 < WAYS ? ", " : "}\n");
    }
    return 0;
}
