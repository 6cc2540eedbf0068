/* What reading and writing files costs: system calls, pages brought in, and time on this disk.
 *
 *   storage read BYTES MIB          reads a file in pieces, between marks for strace
 *   storage files|shard COUNT       COUNT records of 4 KiB, in files of their own or in one
 *   storage records each|once COUNT appends COUNT records, with an fsync for each or one for all
 *   storage ahead                   pages that a first read brings in, as JSON
 *   storage bench pieces|depth|sync seconds by the wall clock, as JSON
 *
 * Files are made in the working folder and removed. It must not be a tmpfs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, MIB = 1 << 20, TMPFS = 0x01021994, ROUNDS = 7 };
static const char *const name = "storage.tmp";
static char *buffer;
static int printed;

static void fail(const char *why)
{
    fprintf(stderr, "storage: %s\n", why);
    unlink(name);
    exit(1);
}

static void mark(const char *what)
{
    if (write(-1, what, strlen(what)) >= 0)     /* for strace; it has to fail */
        fail("a write to no file succeeded");
}

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static int create(const char *path, size_t bytes)
{
    struct statfs what;
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || fstatfs(fd, &what))
        fail(strerror(errno));
    if (what.f_type == TMPFS)
        fail("this folder is a tmpfs, whose files are on no disk");
    for (size_t at = 0; at < bytes; at += MIB) {
        size_t piece = bytes - at < MIB ? bytes - at : MIB;
        if (pwrite(fd, buffer, piece, at) != (ssize_t)piece)
            fail("cannot write the file");
    }
    return fd;
}

static void drop(int fd)
{
    if (fsync(fd))
        fail(strerror(errno));
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}

static void read_in_pieces(int fd, size_t piece)
{
    ssize_t got;
    if (lseek(fd, 0, SEEK_SET))
        fail("cannot seek");
    while ((got = read(fd, buffer, piece)) > 0)
        ;
    if (got)
        fail(strerror(errno));
}

static int reads(size_t piece, size_t mib)
{
    int fd = create(name, mib << 20);
    if (piece < 1 || piece > MIB)
        fail("BYTES must be between 1 and 1048576");
    mark("perfnotes:begin");
    read_in_pieces(fd, piece);
    mark("perfnotes:end");
    return unlink(name);
}

static int records(const char *how, int count)
{
    char path[64];
    int apart = !strcmp(how, "files");
    for (int i = 0; apart && i < count; i++) {
        snprintf(path, sizeof path, "storage.%d.tmp", i);
        close(create(path, PAGE));
    }
    close(create(name, apart ? 0 : (size_t)count * PAGE));
    mark("perfnotes:begin");
    for (int i = 0; i < (apart ? count : 1); i++) {
        snprintf(path, sizeof path, "storage.%d.tmp", i);
        int fd = open(apart ? path : name, O_RDONLY);
        if (fd < 0)
            fail(strerror(errno));
        while (read(fd, buffer, MIB) > 0)
            ;
        close(fd);
    }
    mark("perfnotes:end");
    for (int i = 0; apart && i < count; i++) {
        snprintf(path, sizeof path, "storage.%d.tmp", i);
        unlink(path);
    }
    return unlink(name);
}

static double append(int each, int count, int marked)
{
    int fd = create(name, 0);
    if (marked)
        mark("perfnotes:begin");
    double start = seconds(CLOCK_MONOTONIC);
    for (int i = 0; i < count; i++)
        if (pwrite(fd, buffer, PAGE, (off_t)i * PAGE) != PAGE ||
            ((each || i == count - 1) && fsync(fd)))
            fail("cannot append");
    double taken = seconds(CLOCK_MONOTONIC) - start;
    if (marked)
        mark("perfnotes:end");
    close(fd);
    unlink(name);
    return taken / count;
}

/* ---- pages that a read brings in ---- */

static long in_page_cache(int fd, size_t bytes)
{
    static unsigned char there[64 * MIB / PAGE];
    void *map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
    long count = 0;
    if (map == MAP_FAILED || mincore(map, bytes, there))
        fail(strerror(errno));
    for (size_t i = 0; i < bytes / PAGE; i++)
        count += there[i] & 1;
    munmap(map, bytes);
    return count;
}

static long major_faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_majflt;
}

/* Major faults of touching one page in every 64 of a mapping that is not in memory. */
static long faults(int fd, size_t bytes, int advice)
{
    drop(fd);
    char *map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED || madvise(map, bytes, advice))
        fail(strerror(errno));
    long before = major_faults();
    for (size_t at = 0; at < bytes; at += 64 * PAGE)
        (void)*(volatile char *)(map + at);
    long after = major_faults();
    munmap(map, bytes);
    return after - before;
}

static long after_one_read(int fd, size_t bytes, off_t at, int advice)
{
    drop(fd);
    posix_fadvise(fd, 0, 0, advice);
    if (pread(fd, buffer, PAGE, at) != PAGE)
        fail("cannot read the file");
    long count = in_page_cache(fd, bytes);
    posix_fadvise(fd, 0, 0, POSIX_FADV_NORMAL);
    return count;
}

static int ahead(void)
{
    size_t bytes = 64 * MIB;
    int fd = create(name, bytes);
    long first = after_one_read(fd, bytes, 0, POSIX_FADV_NORMAL);
    long within = after_one_read(fd, bytes, bytes / 2, POSIX_FADV_NORMAL);
    long random = after_one_read(fd, bytes, 0, POSIX_FADV_RANDOM);
    long plain = faults(fd, bytes, MADV_NORMAL), scattered = faults(fd, bytes, MADV_RANDOM);
    unlink(name);
    printf("{\"first\": %ld, \"within\": %ld, \"random\": %ld, \"faults\": %ld, "
           "\"faults_random\": %ld, \"touched\": %zu}\n",
           first, within, random, plain, scattered, bytes / PAGE / 64);
    return 0;
}

/* ---- time ---- */

static void print(const char *what, const double *samples)
{
    printf("%s\"%s\": [", printed++ ? ", " : "{", what);
    for (int r = 0; r < ROUNDS; r++)
        printf("%s%.6g", r ? ", " : "", samples[r]);
    printf("]");
}

/* From the page cache CPU seconds per MiB, with O_DIRECT bytes per second of the wall clock. */
static void bench_pieces(void)
{
    static const size_t sizes[] = {PAGE, 64 << 10, MIB, MIB};
    static const char *const names[] = {"4k", "64k", "1m", "again"};
    enum { N = sizeof sizes / sizeof *sizes };
    static double warm[N][ROUNDS], direct[N][ROUNDS];
    enum { WARM = 64, DIRECT = 16 };
    int fd = create(name, WARM * MIB);
    fsync(fd);
    int past = open(name, O_RDONLY | O_DIRECT);
    if (past < 0)
        fail("this file system has no O_DIRECT");
    read_in_pieces(fd, MIB);
    for (int round = -1; round < ROUNDS; round++)
        for (int s = 0; s < N; s++) {
            int at = round < 0 ? 0 : round;
            double start = seconds(CLOCK_THREAD_CPUTIME_ID);
            read_in_pieces(fd, sizes[s]);
            warm[s][at] = (seconds(CLOCK_THREAD_CPUTIME_ID) - start) / WARM;
            start = seconds(CLOCK_MONOTONIC);
            for (size_t from = 0; from < DIRECT * MIB; from += sizes[s])
                if (pread(past, buffer, sizes[s], from) != (ssize_t)sizes[s])
                    fail("cannot read with O_DIRECT");
            direct[s][at] = DIRECT * MIB / (seconds(CLOCK_MONOTONIC) - start);
        }
    for (int s = 0; s < N; s++) {
        char what[32];
        snprintf(what, sizeof what, "warm_%s", names[s]);
        print(what, warm[s]);
        snprintf(what, sizeof what, "direct_%s", names[s]);
        print(what, direct[s]);
    }
}

/* Random reads of 4 KiB past the page cache, each thread one at a time. */
enum { FILE_MIB = 256, PER_ROUND = 1024, MOST_THREADS = 32 };
typedef struct { pthread_t thread; int fd, count; unsigned seed; double busy; } reader;

static void *read_at_random(void *given)
{
    reader *r = given;
    char *own = aligned_alloc(PAGE, PAGE);
    uint64_t x = r->seed * 2654435761u + 88172645463325252u;
    for (int i = 0; i < r->count; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        double start = seconds(CLOCK_MONOTONIC);
        if (pread(r->fd, own, PAGE, (off_t)(x % (FILE_MIB * (MIB / PAGE))) * PAGE) != PAGE)
            fail("cannot read with O_DIRECT");
        r->busy += seconds(CLOCK_MONOTONIC) - start;
    }
    free(own);
    return NULL;
}

static void bench_depth(void)
{
    static const int depths[] = {1, 4, 16, 32, 1};      /* the last one as a control */
    enum { N = sizeof depths / sizeof *depths };
    static double rate[N][ROUNDS], latency[N][ROUNDS];
    static reader readers[MOST_THREADS];
    static unsigned seed;
    char what[32];
    int fd = create(name, (size_t)FILE_MIB * MIB);
    drop(fd);
    int past = open(name, O_RDONLY | O_DIRECT);
    if (past < 0)
        fail("this file system has no O_DIRECT");
    for (int round = -1; round < ROUNDS; round++)
        for (int d = 0; d < N; d++) {
            double start = seconds(CLOCK_MONOTONIC), busy = 0;
            for (int t = 0; t < depths[d]; t++) {
                readers[t] = (reader){.fd = past, .count = PER_ROUND / depths[d], .seed = seed++};
                if (pthread_create(&readers[t].thread, NULL, read_at_random, &readers[t]))
                    fail("cannot start a thread");
            }
            for (int t = 0; t < depths[d]; t++) {
                pthread_join(readers[t].thread, NULL);
                busy += readers[t].busy;
            }
            double taken = seconds(CLOCK_MONOTONIC) - start;
            int at = round < 0 ? 0 : round;
            rate[d][at] = PER_ROUND / taken;
            latency[d][at] = busy / PER_ROUND;
        }
    for (int d = 0; d < N; d++) {
        const char *sign = d == N - 1 ? "again_" : "";
        snprintf(what, sizeof what, "%srate_%d", sign, depths[d]);
        print(what, rate[d]);
        snprintf(what, sizeof what, "%slatency_%d", sign, depths[d]);
        print(what, latency[d]);
    }
}

static void bench_sync(void)
{
    enum { COUNT = 100 };
    static double each[ROUNDS], once[ROUNDS], again[ROUNDS];
    for (int round = -1; round < ROUNDS; round++) {
        int at = round < 0 ? 0 : round;
        each[at] = append(1, COUNT, 0);
        once[at] = append(0, COUNT, 0);
        again[at] = append(1, COUNT, 0);
    }
    print("each", each);
    print("once", once);
    print("again", again);
}

int main(int argc, char **argv)
{
    buffer = aligned_alloc(PAGE, MIB);
    if (!buffer)
        fail("no memory");
    memset(buffer, 1, MIB);
    if (argc == 4 && !strcmp(argv[1], "read"))
        return reads(strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
    if (argc == 3 && (!strcmp(argv[1], "files") || !strcmp(argv[1], "shard")))
        return records(argv[1], atoi(argv[2]));
    if (argc == 4 && !strcmp(argv[1], "records"))
        return append(!strcmp(argv[2], "each"), atoi(argv[3]), 1) < 0;
    if (argc == 2 && !strcmp(argv[1], "ahead"))
        return ahead();
    if (argc != 3 || strcmp(argv[1], "bench"))
        fail("usage: storage read|files|shard|records|ahead|bench (see the source)");
    if (!strcmp(argv[2], "pieces"))
        bench_pieces();
    else if (!strcmp(argv[2], "depth"))
        bench_depth();
    else if (!strcmp(argv[2], "sync"))
        bench_sync();
    else
        fail("bench pieces, depth or sync");
    printf("}\n");
    unlink(name);
    return 0;
}
