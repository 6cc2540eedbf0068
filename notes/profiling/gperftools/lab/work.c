/* Work whose shares are known beforehand.
 *
 * work shares [TURNS]   light() does TURNS, busy() 3 x TURNS turns of the same loop, alternating
 * work threads [TURNS]  three threads with 1, 2 and 3 x TURNS turns; main() only waits
 * work open [TURNS]     two threads with TURNS turns each; main() only waits
 * work blocked [TURNS]  the same, but the second thread has blocked SIGPROF
 * work chain [TURNS]    main -> outer -> middle -> leaf; only leaf computes
 *
 * Prints the CPU time of the process in seconds. With -DREGISTER the threads call
 * ProfilerRegisterThread(), and the program needs -lprofiler.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef REGISTER
#include <gperftools/profiler.h>
#endif

static volatile uint64_t sink;
static long turns = 200000000;

/* A chain of multiplications: no memory, no calls. Each begins with a number of its own, since gcc
 * may call one function for another if their code is the same. */
#define WORKER(name, start)                                                                         \
    __attribute__((noinline, noclone)) void name(long n) {                                         \
        uint64_t x = start;                                                                        \
        for (long i = 0; i < n; i++) x = x * 6364136223846793005u + 1442695040888963407u;          \
        sink = x;                                                                                  \
    }
WORKER(light, 1)
WORKER(busy, 2)
WORKER(leaf, 3)
WORKER(first, 4)
WORKER(second, 5)
WORKER(third, 6)

/* The write after each call keeps gcc from turning the call into a jump. */
__attribute__((noinline)) void middle(long n) { leaf(n); sink++; }
__attribute__((noinline)) void outer(long n) { middle(n); sink++; }

static void shares(void) {
    for (int i = 0; i < 37; i++) {
        light(turns / 37);
        busy(3 * (turns / 37));
    }
}

static void enter(void) {
#ifdef REGISTER
    ProfilerRegisterThread();
#endif
}

static void *one(void *unused) { enter(); first(turns); return unused; }
static void *two(void *unused) { enter(); second(2 * turns); return unused; }
static void *three(void *unused) { enter(); third(3 * turns); return unused; }
static void *other(void *unused) { enter(); second(turns); return unused; }

static void *hidden(void *unused) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPROF);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    second(turns);
    return unused;
}

static void together(int n, void *(*const bodies[])(void *)) {
    pthread_t thread[3];
    for (int i = 0; i < n; i++) pthread_create(&thread[i], NULL, bodies[i], NULL);
    for (int i = 0; i < n; i++) pthread_join(thread[i], NULL);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (argc > 2) turns = atol(argv[2]);
    if (!strcmp(what, "shares")) shares();
    else if (!strcmp(what, "threads")) together(3, (void *(*const[])(void *)){one, two, three});
    else if (!strcmp(what, "open")) together(2, (void *(*const[])(void *)){one, other});
    else if (!strcmp(what, "blocked")) together(2, (void *(*const[])(void *)){one, hidden});
    else if (!strcmp(what, "chain")) outer(turns);
    else return 2;
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    printf("%.6f\n", (double)t.tv_sec + (double)t.tv_nsec / 1e9);
    return 0;
}
