/* A counter that is on in one slice of three, as if three events took turns on it.

   Counts the page faults of three programs with 300 slices: equally many faults in each slice;
   all in one slice in which the counter is on; all in one in which it is off.  Prints the true
   number and three times what the counter saw.                                                  */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SLICES = 300, FAULTS = 3000, EVENTS = 3 };

static void must(int done, const char *what)
{
    if (!done) {
        perror(what);
        exit(1);
    }
}

static int open_event(void)
{
    struct perf_event_attr attr = {0};
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_PAGE_FAULTS;
    attr.exclude_kernel = attr.exclude_hv = attr.disabled = 1;
    int event = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
    must(event >= 0, "perf_event_open");
    return event;
}

static long count(int event)
{
    long seen = 0;
    must(read(event, &seen, sizeof seen) == sizeof seen, "read");
    return seen;
}

/* The faults are in slice `at`, or spread over all slices if it is negative. */
static void run(const char *name, int at, const char *end)
{
    long size = sysconf(_SC_PAGESIZE), page = 0;
    volatile char *data =
        mmap(NULL, FAULTS * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    must(data != MAP_FAILED, "mmap");
    madvise((void *)data, FAULTS * size, MADV_NOHUGEPAGE);
    int turn = open_event(), always = open_event();
    ioctl(always, PERF_EVENT_IOC_ENABLE, 0);
    for (int slice = 0; slice < SLICES; slice++) {
        ioctl(turn, slice % EVENTS == 0 ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
        long faults = at < 0 ? FAULTS / SLICES : slice == at ? FAULTS : 0;
        while (faults--)
            data[page++ * size] = 1;
    }
    ioctl(always, PERF_EVENT_IOC_DISABLE, 0);
    printf("\"%s\": %ld, \"%s_scaled\": %ld%s", name, count(always), name, EVENTS * count(turn), end);
}

int main(void)
{
    printf("{");
    run("even", -1, ", ");
    run("lucky", 150, ", ");
    run("unlucky", 151, "}\n");
    return 0;
}
