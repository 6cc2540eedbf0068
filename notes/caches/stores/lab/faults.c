/* What the first touch of memory costs: page faults, and time.
 *
 *   faults count         page faults of several ways to get 64 MiB of zeros, as JSON
 *   faults bench         CPU seconds of the first and of the second fill of 16 MiB, as JSON
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

enum { COUNTED = 64 << 20, TIMED = 16 << 20, ROUNDS = 21, HUGE_PAGE = 2 << 20 };

static volatile char sink;
static int printed;

static long faults(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_minflt;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void report(const char *name, long count)
{
    printf("%s\"%s\": %ld", printed++ ? ", " : "{", name, count);
}

static char *map(size_t bytes, int advice)
{
    char *p = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        exit(1);
    p += HUGE_PAGE - (size_t)p % HUGE_PAGE;
    madvise(p, bytes, advice);
    return p;
}

/* Called through a pointer, so that the compiler cannot merge malloc and memset into calloc. */
static void *(*volatile set)(void *, int, size_t) = memset;
static void *(*volatile move)(void *, const void *, size_t) = memcpy;
static void *(*volatile zeroed)(size_t, size_t) = calloc;

static void count(void)
{
    long before = faults();
    char *a = malloc(COUNTED);
    set(a, 0, COUNTED);
    report("malloc_memset", faults() - before);
    before = faults();
    set(a, 1, COUNTED);
    report("memset_again", faults() - before);

    before = faults();
    char *b = zeroed(COUNTED, 1);
    report("calloc", faults() - before);
    before = faults();
    for (size_t at = 0; at < COUNTED; at += 4096)
        sink = b[at];
    report("calloc_read", faults() - before);
    before = faults();
    move(b, a, COUNTED);
    report("copy_into_read", faults() - before);
    before = faults();
    move(b, a, COUNTED);
    report("copy_again", faults() - before);
    free(b);

    /* Freed blocks of this size go back to the kernel, and the next one is fresh again. */
    before = faults();
    for (int i = 0; i < 4; i++) {
        b = malloc(COUNTED);
        move(b, a, COUNTED);
        free(b);
    }
    report("four_new_copies", faults() - before);
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    before = faults();
    for (int i = 0; i < 4; i++) {
        b = malloc(COUNTED);
        move(b, a, COUNTED);
        free(b);
    }
    report("four_kept_copies", faults() - before);

    b = map(COUNTED, MADV_HUGEPAGE);
    before = faults();
    set(b, 0, COUNTED);
    report("huge_pages", faults() - before);
    printf("}\n");
}

static void bench(void)
{
    double first[ROUNDS], second[ROUNDS], again[ROUNDS];
    for (int i = -1; i < ROUNDS; i++) {
        char *p = map(TIMED, MADV_NOHUGEPAGE);
        double t[4];
        for (int k = 0; k < 4; k++) {
            t[k] = seconds();
            if (k < 3)
                set(p, k, TIMED);
        }
        munmap(p, TIMED);
        if (i >= 0)
            first[i] = t[1] - t[0], second[i] = t[2] - t[1], again[i] = t[3] - t[2];
    }
    const char *names[] = {"first", "second", "again"};
    const double *all[] = {first, second, again};
    for (int k = 0; k < 3; k++) {
        printf("%s\"%s\": [", k ? ", " : "{", names[k]);
        for (int i = 0; i < ROUNDS; i++)
            printf("%s%.6g", i ? ", " : "", all[k][i]);
        printf("]");
    }
    printf("}\n");
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "count"))
        count();
    else if (argc == 2 && !strcmp(argv[1], "bench"))
        bench();
    else
        return 2;
    return 0;
}
