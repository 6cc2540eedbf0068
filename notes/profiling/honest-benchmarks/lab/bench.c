/* Samples of work that is always the same, for study.py.
 *
 *   bench load             A against A while a load begins or ends: a line of times per variant
 *   bench series ROUNDS N  A, A again and B (1 % more work) in turn; a run has N times the steps
 *   bench lengths          the same work in runs of four lengths, the longest twice
 *   bench offsets          one loop at 16 places relative to a line of 64 bytes, as JSON
 *   bench count|more       the work once, or 1 % more of it, for a simulator
 *
 * A line begins with a name; the times are seconds. Clocks: cpu (this thread) and wall.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 400000, HOGS = 3, EXPERIMENTS = 21, PAIRS = 15, MOST = 4096,
       LENGTHS = 5, RUNS = 40, REPEATS = 10, OFFSETS = 16, ROUNDS = 21, TURNS = 100000 };
static volatile uint64_t sink;

__attribute__((noinline, noclone)) uint64_t work(uint64_t x, uint64_t steps)
{
    for (uint64_t i = 0; i < steps; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    return x;
}

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

typedef struct { double cpu, wall; } taken;

static taken timed(uint64_t steps)
{
    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
    sink = work(88172645463325252u, steps);
    return (taken){seconds(CLOCK_THREAD_CPUTIME_ID) - cpu, seconds(CLOCK_MONOTONIC) - wall};
}

static void print(const char *name, const char *variant, const taken *samples, int count)
{
    printf("%s-%s-cpu", name, variant);
    for (int i = 0; i < count; i++)
        printf(" %.9g", samples[i].cpu);
    printf("\n%s-%s-wall", name, variant);
    for (int i = 0; i < count; i++)
        printf(" %.9g", samples[i].wall);
    printf("\n");
}

/* Processes that do nothing but use the processor, on the one that the work runs on. */
static pid_t hogs[HOGS];

static void signal_hogs(int signal)
{
    for (int i = 0; i < HOGS; i++)
        kill(hogs[i], signal);
}

static void start_hogs(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    for (int i = 0; i < HOGS; i++)
        if (!(hogs[i] = fork())) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (;;)
                sink++;
        }
    signal_hogs(SIGSTOP);
}

/* In every second experiment the load begins at a random run, in the others it ends there. */
static void load(void)
{
    static taken samples[2][PAIRS];
    static const char *const order[] = {"sequence", "pairs"};
    start_hogs();
    srand(1);
    for (int e = 0; e < EXPERIMENTS; e++) {
        int change = rand() % (2 * PAIRS);
        for (int pairs = 0; pairs < 2; pairs++) {
            signal_hogs(e % 2 ? SIGCONT : SIGSTOP);
            for (int i = 0; i < 2 * PAIRS; i++) {
                if (i == change)
                    signal_hogs(e % 2 ? SIGSTOP : SIGCONT);
                int second = pairs ? i % 2 ^ i / 2 % 2 : i >= PAIRS;   /* AB BA AB ... or AA...BB */
                samples[second][pairs ? i / 2 : i % PAIRS] = timed(5 * STEPS);
            }
            print(order[pairs], "a", samples[0], PAIRS);
            print(order[pairs], "b", samples[1], PAIRS);
        }
        signal_hogs(SIGSTOP);
    }
    signal_hogs(SIGKILL);
    for (int i = 0; i < HOGS; i++)
        waitpid(hogs[i], NULL, 0);
}

static void series(int rounds, uint64_t steps)
{
    static taken samples[3][MOST];
    if (rounds < 1 || rounds > MOST || steps < 100)
        exit(2);
    for (int i = -1; i < rounds; i++)
        for (int k = 0; k < 3; k++) {
            int which = (i + 1 + k) % 3;
            samples[which][i < 0 ? 0 : i] = timed(which == 2 ? steps + steps / 100 : steps);
        }
    print("series", "a", samples[0], rounds);
    print("series", "again", samples[1], rounds);
    print("series", "more", samples[2], rounds);
}

static void lengths(void)
{
    static taken samples[LENGTHS][RUNS * REPEATS];
    static const char *const names[] = {"1", "10", "100", "1000", "again"};
    for (int i = 0; i < RUNS; i++) {
        uint64_t steps = STEPS / 20;
        for (int k = 0; k < LENGTHS; k++) {
            int repeats = k < 2 ? REPEATS : 1;     /* the two shortest ten times as often */
            for (int j = 0; j < repeats; j++)
                samples[k][repeats * i + j] = timed(steps);
            steps *= k < LENGTHS - 2 ? 10 : 1;
        }
    }
    for (int k = 0; k < LENGTHS; k++)
        print("length", names[k], samples[k], k < 2 ? RUNS * REPEATS : RUNS);
}

#ifdef __x86_64__
/* The same loop 16 times: at a line of 64 bytes, 4 bytes behind it, and so on. */
typedef uint64_t (*loop)(uint64_t turns);
extern const loop loops[OFFSETS];
__asm__(".text\n.altmacro\n"
        ".macro place k\n"
        ".p2align 6\n"
        ".if \\k\n.skip \\k,0x90\n.endif\n"
        "loop_\\k:\n"
        "1: imul $3,%rax,%rcx\n add %rcx,%rdx\n lea 7(%rdi),%r8\n add %r8,%r9\n xor $5,%r10\n"
        " add $1,%r11\n add $1,%rsi\n dec %rdi\n jne 1b\n"
        " mov %rdx,%rax\n ret\n"
        ".endm\n"
        ".set at,0\n.rept 16\nplace %at\n.set at,at+4\n.endr\n"
        ".macro enter k\n.quad loop_\\k\n.endm\n"
        ".section .data.rel.ro,\"aw\"\n.p2align 3\n.globl loops\nloops:\n"
        ".set at,0\n.rept 16\nenter %at\n.set at,at+4\n.endr\n.text\n");

static void offsets(void)
{
    static double samples[OFFSETS][ROUNDS];
    for (int round = -1; round < ROUNDS; round++)
        for (int k = 0; k < OFFSETS; k++) {
            double start = seconds(CLOCK_THREAD_CPUTIME_ID);
            sink = loops[k](TURNS);
            samples[k][round < 0 ? 0 : round] = (seconds(CLOCK_THREAD_CPUTIME_ID) - start) / TURNS;
        }
    for (int k = 0; k < OFFSETS; k++) {
        printf("%s\"at_%d\": [", k ? ", " : "{", 4 * k);
        for (int i = 0; i < ROUNDS; i++)
            printf("%s%.6g", i ? ", " : "", samples[k][i]);
        printf("]");
    }
    printf("}\n");
}
#endif

int main(int count, char **words)
{
    const char *what = count > 1 ? words[1] : "";
    if (!strcmp(what, "load"))
        load();
    else if (!strcmp(what, "series") && count == 4)
        series(atoi(words[2]), atol(words[3]) * STEPS);
    else if (!strcmp(what, "lengths"))
        lengths();
#ifdef __x86_64__
    else if (!strcmp(what, "offsets"))
        offsets();
#endif
    else if (!strcmp(what, "count"))
        sink = work(1, STEPS);
    else if (!strcmp(what, "more"))
        sink = work(1, STEPS + STEPS / 100);
    else {
        fprintf(stderr, "bench: load, series ROUNDS N, lengths, offsets, count or more\n");
        return 2;
    }
    return 0;
}
