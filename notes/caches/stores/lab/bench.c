/* Copies and fills with ordinary and with non-temporal stores, in turn: bench far|l3|l2|l1.
 *
 * CPU seconds of each, as JSON. plain_read and stream_read read the result right afterwards. The
 * areas have been written before, and huge pages are requested, so that no page fault is timed. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include "kernels.h"

enum { ROUNDS = 15, KINDS = 8, HUGE_PAGE = 2 << 20 };
static const char *const names[KINDS] = {"plain", "stream", "library", "plain_read", "stream_read",
                                         "fill", "fill_stream", "again"};
static void *(*volatile library)(void *, const void *, size_t) = memcpy;
static volatile uint64_t sink;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static char *area(size_t bytes)
{
    char *p = mmap(NULL, bytes + 2 * HUGE_PAGE, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        exit(1);
    p += HUGE_PAGE - (size_t)p % HUGE_PAGE;
    madvise(p, bytes, MADV_HUGEPAGE);
    memset(p, 1, bytes);
    return p;
}

static void once(int kind, char *to, const char *from, size_t bytes)
{
    switch (kind) {
    case 1: case 4: copy_stream(to, from, bytes); break;
    case 2: library(to, from, bytes); break;
    case 5: fill_plain(to, bytes); break;
    case 6: fill_stream(to, bytes); break;
    default: copy_plain(to, from, bytes);
    }
    if (kind == 3 || kind == 4)
        sink = sum(to, bytes);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    /* Both areas together: 16 KiB, 512 KiB, 8 MiB or 256 MiB. */
    size_t bytes = !strcmp(argv[1], "far") ? 128 << 20 : !strcmp(argv[1], "l3") ? 4 << 20
                 : !strcmp(argv[1], "l2") ? 256 << 10 : 8 << 10;
    int repeats = bytes >= 128 << 20 ? 1 : (32 << 20) / (int)bytes;
    char *from = area(bytes), *to = area(bytes);
    static double took[KINDS][ROUNDS];
    for (int i = -1; i < ROUNDS; i++)
        for (int k = 0; k < KINDS; k++) {
            int kind = i & 1 ? KINDS - 1 - k : k;       /* every second round backward */
            once(kind, to, from, bytes);
            double start = seconds();
            for (int r = 0; r < repeats; r++)
                once(kind, to, from, bytes);
            if (i >= 0)
                took[kind][i] = (seconds() - start) / repeats;
        }
    for (int k = 0; k < KINDS; k++) {
        printf("%s\"%s\": [", k ? ", " : "{", names[k]);
        for (int i = 0; i < ROUNDS; i++)
            printf("%s%.6g", i ? ", " : "", took[k][i]);
        printf("]");
    }
    printf("}\n");
    return 0;
}
