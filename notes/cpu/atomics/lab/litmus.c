/* Two litmus tests on two cores: litmus ROUNDS prints the outcomes that sequential consistency forbids.

   store buffering:  x = 1; r0 = y  |  y = 1; r1 = x     forbidden: r0 == 0 and r1 == 0
   message passing:  data = 1; flag = 1  |  r0 = flag; r1 = data     forbidden: r0 == 1 and r1 == 0 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static struct { _Alignas(128) atomic_long value; } x, y, arrived[2];
static struct { _Alignas(128) long seen; } result[2];
static long rounds;
static void (*body[2])(void);

#define STORE(v, order) atomic_store_explicit(&(v).value, 1, order)
#define LOAD(v, order) atomic_load_explicit(&(v).value, order)
#define RELAXED memory_order_relaxed

/* Each thread of store buffering with the orders given, and a fence or nothing in between. */
#define BUFFERING(name, own, other, store, load, fence)                                            \
    static void name(void)                                                                         \
    {                                                                                              \
        STORE(own, store);                                                                         \
        fence;                                                                                     \
        result[&(own) == &y].seen = LOAD(other, load);                                             \
    }
#define BOTH(name, store, load, fence)                                                             \
    BUFFERING(name##_0, x, y, store, load, fence) BUFFERING(name##_1, y, x, store, load, fence)

BOTH(relaxed, RELAXED, RELAXED, )
BOTH(acq_rel, memory_order_release, memory_order_acquire, )
BOTH(seq_cst, memory_order_seq_cst, memory_order_seq_cst, )
BOTH(fenced, RELAXED, RELAXED, atomic_thread_fence(memory_order_seq_cst))

static void write_message(void)
{
    STORE(x, RELAXED);
    STORE(y, RELAXED);
}

static void read_message(void)
{
    long flag = LOAD(y, RELAXED), data = LOAD(x, RELAXED);
    result[1].seen = flag && !data;
}

static void die(const char *what)
{
    fprintf(stderr, "litmus: %s\n", what);
    exit(2);
}

static void meet(int id, long turn)
{
    atomic_store_explicit(&arrived[id].value, turn, memory_order_release);
    for (long spins = 0; atomic_load_explicit(&arrived[!id].value, memory_order_acquire) < turn; spins++)
        if (spins > 100000)
            sched_yield();
}

static long forbidden;

static void *run(void *arg)
{
    int id = (int)(intptr_t)arg;
    cpu_set_t mine;
    CPU_ZERO(&mine);
    CPU_SET(id, &mine);
    sched_setaffinity(0, sizeof mine, &mine); /* where that is refused, the scheduler decides */
    uint32_t random = 12345u + (uint32_t)id;
    for (long k = 0; k < rounds; k++) {
        meet(id, 3 * k + 1);
        random = random * 1664525u + 1013904223u;
        for (uint32_t wait = random >> 27; wait; wait--)
            __asm__ volatile("" ::: "memory");
        body[id]();
        meet(id, 3 * k + 2);
        if (!id) {
            forbidden += body[1] == read_message ? result[1].seen
                                                 : !result[0].seen && !result[1].seen;
            atomic_store(&x.value, 0);
            atomic_store(&y.value, 0);
        }
        meet(id, 3 * k + 3);
    }
    return NULL;
}

static void test(const char *name, void (*first)(void), void (*second)(void), const char *after)
{
    pthread_t other;
    body[0] = first;
    body[1] = second;
    forbidden = 0;
    atomic_store(&arrived[0].value, 0);
    atomic_store(&arrived[1].value, 0);
    if (pthread_create(&other, NULL, run, (void *)1))
        die("no second thread");
    run((void *)0);
    pthread_join(other, NULL);
    printf("\"%s\": %ld%s", name, forbidden, after);
}

int main(int argc, char **argv)
{
    rounds = argc > 1 ? atol(argv[1]) : 100000;
    printf("{\"rounds\": %ld, ", rounds);
    test("relaxed", relaxed_0, relaxed_1, ", ");
    test("acq_rel", acq_rel_0, acq_rel_1, ", ");
    test("seq_cst", seq_cst_0, seq_cst_1, ", ");
    test("fenced", fenced_0, fenced_1, ", ");
    test("one_fence", fenced_0, relaxed_1, ", ");
    test("message", write_message, read_message, "}\n");
    return 0;
}
