/* What it costs to have locked memory for a copy: a buffer that is kept, against one that is
   mapped, locked and unmapped each time. CPU time of one thread, as JSON: seconds, one number per
   round.

       ./pincost MIB

   Locks piece by piece, never more than PIECE at a time, so that the usual limit of an
   unprivileged process is enough. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 21, PIECE = 4 << 20, KINDS = 6 };
static const char *NAMES[KINDS] = {"copy", "again", "lock", "fresh", "unmap", "relock"};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static long faults(void) {
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static char *map(size_t n) {
    char *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) fail("mmap");
    madvise(p, n, MADV_NOHUGEPAGE);
    return p;
}

static double copy(char *to, const char *from, size_t n) {
    double t = now();
    for (size_t i = 0; i < n; i += PIECE) memcpy(to + i, from + i, PIECE);
    return now() - t;
}

int main(int argc, char **argv) {
    size_t n = argc == 2 ? strtoul(argv[1], NULL, 10) << 20 : 0;
    if (n < PIECE || n % PIECE) {
        fprintf(stderr, "usage: pincost MIB, a multiple of 4\n");
        return 1;
    }
    char *source = map(n), *kept = map(n);
    memset(source, 1, n);
    memset(kept, 2, n);
    static double t[KINDS][ROUNDS + 1];
    long fetched = 0, again = 0;
    for (int r = 0; r <= ROUNDS; r++) {
        t[0][r] = copy(kept, source, n);
        char *fresh = map(n);
        for (size_t i = 0; i < n; i += PIECE) {
            long before = faults();
            double t0 = now();
            if (mlock(fresh + i, PIECE)) fail("mlock 4 MiB (ulimit -l is in KiB)");
            double t1 = now();
            fetched = faults() - before;
            memcpy(fresh + i, source + i, PIECE);
            double t2 = now();
            if (munmap(fresh + i, PIECE)) fail("munmap");
            double t3 = now();
            t[2][r] += t1 - t0;
            t[3][r] += t2 - t1;
            t[4][r] += t3 - t2;
        }
        for (size_t i = 0; i < n; i += PIECE) { /* pages that are there already */
            long before = faults();
            double t0 = now();
            if (mlock(kept + i, PIECE)) fail("mlock 4 MiB (ulimit -l is in KiB)");
            t[5][r] += now() - t0;
            again = faults() - before;
            if (munlock(kept + i, PIECE)) fail("munlock");
        }
        t[1][r] = copy(kept, source, n);
    }
    if (memcmp(kept, source, n)) {
        fprintf(stderr, "the copy is not a copy\n");
        return 1;
    }
    long page = sysconf(_SC_PAGESIZE);
    printf("{\"bytes\": %zu, \"page\": %ld, \"pages\": %zu", n, page, n / page);
    printf(", \"piece\": %d", PIECE);
    printf(", \"faults_fresh\": %ld, \"faults_kept\": %ld", fetched, again);
    for (int k = 0; k < KINDS; k++) {
        printf(", \"%s\": [", NAMES[k]);
        for (int r = 1; r <= ROUNDS; r++) printf("%s%.9f", r > 1 ? ", " : "", t[k][r]);
        printf("]");
    }
    printf("}\n");
    return 0;
}
