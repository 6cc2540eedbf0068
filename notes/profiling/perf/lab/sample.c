/* What a sample costs: the same work, in turns without samples, again without, with a sample
   every 50 us of CPU time, and with one that copies 8 KiB of the stack.  Prints CPU time of each
   turn, and the time that the sampled turns cost more, per sample.                              */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PERIOD = 50000, PAGES = 64, KINDS = 4 };
static const char *const names[KINDS] = {"none", "again", "plain", "copied"};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static volatile uint64_t sink;

static __attribute__((noinline)) void work(long turns)
{
    uint64_t x = 1;
    for (long i = 0; i < turns; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    sink = x;
}

/* A cpu-clock event of this thread in user mode, stopped. The buffer overwrites itself. */
static int open_event(int copy)
{
    struct perf_event_attr attr = {0};
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_CPU_CLOCK;
    attr.sample_period = PERIOD;
    attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD;
    if (copy) {
        attr.sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_USER;
        attr.sample_stack_user = 8192;
        attr.sample_regs_user = 0xff0fff;
    }
    attr.disabled = attr.exclude_kernel = attr.exclude_hv = attr.exclude_callchain_kernel = 1;
    attr.write_backward = 1;
    int event = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
    if (event < 0) {
        perror("perf_event_open");
        exit(1);
    }
    if (mmap(NULL, (1 + PAGES) * 4096L, PROT_READ, MAP_SHARED, event, 0) == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    return event;
}

static double *times[KINDS];

static void print(const char *name, const double *of, int rounds, int last)
{
    printf("\"%s\": [", name);
    for (int i = 0; i < rounds; i++)
        printf("%s%.9g", i ? ", " : "", of[i]);
    printf("]%s", last ? "" : ",\n ");
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 31;
    volatile char stack[12288]; /* so that there are 8 KiB above to copy */
    memset((char *)stack, 1, sizeof stack);
    int events[KINDS] = {-1, -1, open_event(0), open_event(1)};
    for (int k = 0; k < KINDS; k++)
        times[k] = calloc(rounds, sizeof **times);
    work(1000000);
    for (int round = 0; round < rounds; round++)
        for (int at = 0; at < KINDS; at++) {
            int k = (round + at) % KINDS;
            if (events[k] >= 0)
                ioctl(events[k], PERF_EVENT_IOC_ENABLE, 0);
            double start = now();
            work(8000000);
            times[k][round] = now() - start;
            if (events[k] >= 0)
                ioctl(events[k], PERF_EVENT_IOC_DISABLE, 0);
        }
    printf("{");
    for (int k = 0; k < KINDS; k++)
        print(names[k], times[k], rounds, 0);
    for (int k = 2; k < KINDS; k++) {
        double *each = calloc(rounds, sizeof *each);
        for (int i = 0; i < rounds; i++) /* samples: one for each PERIOD of CPU time */
            each[i] = (times[k][i] - times[0][i]) / (times[k][i] / (PERIOD * 1e-9));
        printf("\"%s_sample\": [", names[k]);
        for (int i = 0; i < rounds; i++)
            printf("%s%.9g", i ? ", " : "", each[i]);
        printf("]%s", k < KINDS - 1 ? ",\n " : "}\n");
        free(each);
    }
    return 0;
}
