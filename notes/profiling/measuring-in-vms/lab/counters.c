#define _GNU_SOURCE
// Tries to open each of the kernel's general events for this process, user mode only, and says which it gets.
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
    const char *name;
    unsigned type, event;
} events[] = {
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
};

int main(void)
{
    int opened[2] = {0};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        struct perf_event_attr asked = {.type = events[i].type, .size = sizeof asked, .config = events[i].event};
        asked.exclude_kernel = asked.exclude_hv = 1;
        long file = syscall(SYS_perf_event_open, &asked, 0, -1, -1, 0);
        printf("%-17s%s\n", events[i].name, file >= 0 ? "counts" : strerrorname_np(errno));
        opened[events[i].type == PERF_TYPE_SOFTWARE] += file >= 0;
        if (file >= 0)
            close(file);
    }
    printf("hardware %d of 6, software %d of 5\n", opened[0], opened[1]);
}
