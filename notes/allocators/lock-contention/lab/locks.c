/* Two threads and a lock: how many futex system calls it takes, alone and contended, and what
   counting them changes.

   Usage: locks apart|shared LOOPS ROUNDS          pthread mutexes: one each, or one for both
          locks own-apart|own-shared LOOPS ROUNDS  with the mutex below, which counts its calls
          locks inside LOOPS ROUNDS                the same, shared, with a system call in the section
          locks handoff LOOPS ROUNDS               each lock is asked for while the other holds it
          locks malloc-N LOOPS ROUNDS              malloc and free with at most N arenas (0: default)
          locks cost LOOPS ROUNDS                  single operations of one thread

   Prints one JSON object. Rounds in which the two did not run at the same time are thrown away,
   unless a further argument "any" is given. Marks for strace stand around the work. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A mutex as glibc's ordinary one works: 0 free, 1 held, 2 held and perhaps waited for. */
struct mutex {
    _Alignas(128) int word;
};

struct worker {
    _Alignas(128) long waits, refused, wakes;
    double start, end, delay; /* of a round; delay: runnable, but not running */
    int number;
};

static struct mutex own[2];
static pthread_mutex_t plain[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static struct worker workers[2] = {{.number = 0}, {.number = 1}};
static struct { _Alignas(128) volatile long value; } counters[2];
static int loops, apart, arrived, round_now, met, finished;
static volatile pid_t second;

static void die(const char *what)
{
    fprintf(stderr, "locks: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void lock(struct mutex *m, struct worker *w)
{
    int seen = 0;
    if (__atomic_compare_exchange_n(&m->word, &seen, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    if (seen != 2)
        seen = __atomic_exchange_n(&m->word, 2, __ATOMIC_ACQUIRE);
    while (seen) {
        w->waits++;
        if (syscall(SYS_futex, &m->word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0))
            w->refused++; /* EAGAIN: the word had changed, nobody slept */
        seen = __atomic_exchange_n(&m->word, 2, __ATOMIC_ACQUIRE);
    }
}

static void unlock(struct mutex *m, struct worker *w)
{
    if (__atomic_exchange_n(&m->word, 0, __ATOMIC_RELEASE) == 2) {
        w->wakes++;
        syscall(SYS_futex, &m->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
}

static void pause_a_little(int turns)
{
    for (int k = 0; k < turns; k++)
        __asm__ volatile("" : : "r"(k) : "memory");
}

static void work_own(struct worker *w)
{
    struct mutex *m = &own[apart ? w->number : 0];
    for (int k = 0; k < loops; k++) {
        lock(m, w);
        counters[m - own].value++;
        pause_a_little(100);
        unlock(m, w);
        pause_a_little(100);
    }
}

/* The lock is held for as long as a system call takes, and left alone for many times as long. */
static void work_inside(struct worker *w)
{
    for (int k = 0; k < loops; k++) {
        lock(&own[0], w);
        counters[0].value++;
        syscall(SYS_getppid);
        unlock(&own[0], w);
        pause_a_little(60000);
    }
}

static void work_plain(struct worker *w)
{
    int which = apart ? w->number : 0;
    for (int k = 0; k < loops; k++) {
        pthread_mutex_lock(&plain[which]);
        counters[which].value++;
        pause_a_little(100);
        pthread_mutex_unlock(&plain[which]);
        pause_a_little(100);
    }
}

/* 2,000 bytes are too large for glibc's per-thread cache, so that each call locks an arena. */
static void work_malloc(struct worker *w)
{
    (void)w;
    for (int k = 0; k < loops; k++) {
        volatile char *p = malloc(2000);
        if (!p)
            die("malloc");
        p[0] = 1;
        pause_a_little(100);
        free((void *)p);
    }
}

/* A small file as text. Not by stdio, whose list of files has a lock of its own. */
static void read_file(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, size - 1);
    if (got < 0)
        die(path);
    text[got] = 0;
    close(fd);
}

static char state_of(pid_t thread)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)thread);
    read_file(path, text, sizeof text);
    char *end = strrchr(text, ')');
    return end ? end[2] : '?';
}

/* The first thread unlocks only once the second sleeps; then they wait for each other by flags. */
static void work_handoff(struct worker *w)
{
    static volatile int turn; /* odd: the first holds the lock; even: the second is done */
    int from = (round_now - 1) * loops;
    for (int k = from; k < from + loops; k++) {
        if (w->number == 0) {
            pthread_mutex_lock(&plain[0]);
            turn = 2 * k + 1;
            while (state_of(second) != 'S')
                sched_yield();
            pthread_mutex_unlock(&plain[0]);
            while (turn != 2 * k + 2)
                sched_yield();
        } else {
            while (turn != 2 * k + 1)
                sched_yield();
            pthread_mutex_lock(&plain[0]);
            pthread_mutex_unlock(&plain[0]);
            turn = 2 * k + 2;
        }
    }
}

static void (*work)(struct worker *);

static double clock_of(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds for which the calling thread was runnable without a processor to run on. */
static double run_delay(void)
{
    char text[128], *rest;
    read_file("/proc/thread-self/schedstat", text, sizeof text);
    strtoull(text, &rest, 10);
    return 1e-9 * (double)strtoull(rest, NULL, 10);
}

static void pin(int number)
{
    cpu_set_t all, one;
    CPU_ZERO(&one);
    sched_getaffinity(0, sizeof all, &all);
    for (int cpu = 0, n = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &all) && n++ == number)
            CPU_SET(cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one))
        die("needs two processors");
}

static void await(int *count, int wanted)
{
    for (int spins = 0; __atomic_load_n(count, __ATOMIC_ACQUIRE) < wanted; spins++)
        if (spins > 100000)
            sched_yield();
}

static void *run(void *arg)
{
    struct worker *w = arg;
    pin(w->number);
    if (w->number)
        second = gettid();
    free(malloc(2000)); /* what making an arena locks lies before the marks */
    for (int round = 1;; round++) {
        __atomic_add_fetch(&arrived, 1, __ATOMIC_RELEASE);
        await(&round_now, round);
        if (!loops)
            return NULL;
        double delay = run_delay();
        __atomic_add_fetch(&met, 1, __ATOMIC_RELEASE);
        await(&met, 2 * round);
        w->start = clock_of(CLOCK_MONOTONIC);
        work(w);
        w->end = clock_of(CLOCK_MONOTONIC);
        w->delay = run_delay() - delay;
        __atomic_add_fetch(&finished, 1, __ATOMIC_RELEASE);
    }
}

static void mark(const char *text)
{
    if (write(-1, text, strlen(text)) >= 0)
        die("write to no file");
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static void print(const char *name, const double *values, int n, const char *end)
{
    printf("\"%s\": [", name);
    for (int k = 0; k < n; k++)
        printf("%s%.6g", k ? ", " : "", values[k]);
    printf("]%s", end);
}

#define MOST 200
static double calls[MOST], waits[MOST], refused[MOST], seconds[MOST];

static void two_threads(int rounds, int any)
{
    pthread_t threads[2];
    int kept = 0, tried = 0;
    for (int k = 0; k < 2; k++)
        if (pthread_create(&threads[k], NULL, run, &workers[k]))
            die("pthread_create");
    await(&arrived, 2);
    mark("perfnotes:begin");
    while (kept < rounds && tried < 100 * rounds) {
        struct worker before[2] = {workers[0], workers[1]};
        __atomic_store_n(&round_now, ++tried, __ATOMIC_RELEASE);
        while (__atomic_load_n(&finished, __ATOMIC_ACQUIRE) < 2 * tried)
            usleep(500);
        double sum[3] = {0, 0, 0}, delay = 0, from = lesser(workers[0].start, workers[1].start),
               to = -lesser(-workers[0].end, -workers[1].end);
        for (int k = 0; k < 2; k++) {
            sum[0] += (double)(workers[k].waits - before[k].waits);
            sum[1] += (double)(workers[k].wakes - before[k].wakes);
            sum[2] += (double)(workers[k].refused - before[k].refused);
            delay += workers[k].delay;
        }
        double both = lesser(workers[0].end, workers[1].end) +
                      lesser(-workers[0].start, -workers[1].start);
        if (!any && (delay > 0.1 * (to - from) || both < 0.7 * (to - from)))
            continue;
        calls[kept] = (sum[0] + sum[1]) / (2.0 * loops);
        waits[kept] = sum[0] / (2.0 * loops);
        refused[kept] = sum[2] / (2.0 * loops);
        seconds[kept++] = (to - from) / loops;
    }
    mark("perfnotes:end");
    loops = 0;
    await(&arrived, 2 * tried + 2);
    __atomic_store_n(&round_now, tried + 1, __ATOMIC_RELEASE);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    errno = EBUSY;
    if (kept < rounds && kept < 5)
        die("the two threads hardly ever had two processors");
    printf("{");
    print("calls", calls, kept, ", ");
    print("waits", waits, kept, ", ");
    print("refused", refused, kept, ", ");
    print("seconds", seconds, kept, ", ");
    printf("\"tried\": %d, \"kept\": %d}\n", tried, kept);
}

enum { LOCK, LOCK_AGAIN, FUTEX, QUANTITIES };
static void cost(int rounds)
{
    static const char *const names[QUANTITIES] = {"lock", "lock_again", "futex"};
    static double taken[QUANTITIES][MOST];
    for (int r = 0; r < rounds; r++)
        for (int q = 0; q < QUANTITIES; q++) {
            double start = clock_of(CLOCK_THREAD_CPUTIME_ID);
            for (int k = 0; k < loops; k++)
                if (q == FUTEX) {
                    syscall(SYS_futex, &own[0].word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
                } else {
                    pthread_mutex_lock(&plain[0]);
                    pthread_mutex_unlock(&plain[0]);
                }
            taken[q][r] = (clock_of(CLOCK_THREAD_CPUTIME_ID) - start) / loops;
        }
    printf("{");
    for (int q = 0; q < QUANTITIES; q++)
        print(names[q], taken[q], rounds, q == QUANTITIES - 1 ? "}\n" : ", ");
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    int any = argc == 5 && !strcmp(argv[4], "any"), rounds = argc > 3 ? atoi(argv[3]) : 0;
    errno = EINVAL;
    if (argc != 4 + any || (loops = atoi(argv[2])) < 1 || rounds < 1 || rounds > MOST)
        die("usage: locks MODE LOOPS ROUNDS [any]");
    apart = strstr(mode, "apart") != NULL;
    if (!strcmp(mode, "cost")) {
        cost(rounds);
        return 0;
    }
    if (!strncmp(mode, "malloc-", 7)) {
        work = work_malloc;
        if (atoi(mode + 7) && !mallopt(M_ARENA_MAX, atoi(mode + 7)))
            die("M_ARENA_MAX");
    } else if (!strcmp(mode, "handoff"))
        work = work_handoff;
    else if (!strcmp(mode, "inside"))
        work = work_inside;
    else if (!strncmp(mode, "own-", 4))
        work = work_own;
    else if (apart || !strcmp(mode, "shared"))
        work = work_plain;
    else
        die("MODE");
    two_threads(rounds, any);
    return 0;
}
