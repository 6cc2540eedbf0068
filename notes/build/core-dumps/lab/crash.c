/* A process that maps memory in one way, says how much CPU time it has used and crashes, or waits to be looked at.
 *
 *   crash touch MIB TOUCHED   maps private anonymous memory and writes to the first part of it
 *   crash read MIB            reads all of it instead
 *   crash hidden MIB          writes to all of it and excludes it from core files
 *   crash kinds               16 MiB private and 8 shared anonymous memory, and of a file
 *                             4 private and 2 shared, all written or read
 *   crash named | unnamed     8 MiB of POSIX shared memory, with its name still there or not
 *   crash undumpable          forbids core files
 *   crash stay MIB TOUCHED    as touch, then wakes up every millisecond until it is told to end, and
 *                             prints the longest time between two wake-ups in seconds
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)

static char *map(size_t size, int protection, int flags, int file)
{
    char *memory = mmap(NULL, size, protection, flags, file, 0);
    if (memory == MAP_FAILED) {
        perror("mmap");
        exit(2);
    }
    madvise(memory, size, MADV_NOHUGEPAGE); /* pages of one size everywhere */
    return memory;
}

static char *anonymous(size_t size, int kind)
{
    return map(size, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1);
}

static size_t read_all(const volatile char *memory, size_t size)
{
    size_t sum = 0;
    for (size_t i = 0; i < size; i += 4096)
        sum += (size_t)memory[i];
    return sum;
}

static void map_file(size_t size, int kind)
{
    int file = open("mapped.data", O_RDWR | O_CREAT, 0600);
    static char bytes[4096];
    memset(bytes, 3, sizeof bytes);
    for (size_t i = 0; i < size; i += sizeof bytes)
        if (file < 0 || pwrite(file, bytes, sizeof bytes, (off_t)i) != (ssize_t)sizeof bytes)
            exit(2);
    read_all(map(size, PROT_READ, kind, file), size);
    close(file);
}

static void map_shared_memory(size_t size, int is_named)
{
    int file = shm_open("/crash", O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, (off_t)size))
        exit(2);
    memset(map(size, PROT_READ | PROT_WRITE, MAP_SHARED, file), 4, size);
    if (!is_named)
        shm_unlink("/crash");
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void stay(void)
{
    struct pollfd input = {.fd = 0, .events = POLLIN};
    double longest = 0, last = now();
    for (int rounds = 0; poll(&input, 1, 1) == 0; rounds++) {
        double time = now();
        if (rounds > 0 && time - last > longest)
            longest = time - last;
        last = time;
    }
    printf("%.6f\n", longest);
}

int main(int count, char **words)
{
    const char *kind = count > 1 ? words[1] : "";
    size_t size = count > 2 ? (size_t)atol(words[2]) * MIB : 0;
    size_t touched = count > 3 ? (size_t)atol(words[3]) * MIB : size;

    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* gdb may attach where Yama is strict */
    if (!strcmp(kind, "touch") || !strcmp(kind, "stay"))
        memset(anonymous(size, MAP_PRIVATE), 1, touched);
    else if (!strcmp(kind, "read"))
        read_all(anonymous(size, MAP_PRIVATE), size);
    else if (!strcmp(kind, "hidden")) {
        char *memory = anonymous(size, MAP_PRIVATE);
        memset(memory, 1, size);
        madvise(memory, size, MADV_DONTDUMP);
    } else if (!strcmp(kind, "kinds")) {
        memset(anonymous(16 * MIB, MAP_PRIVATE), 1, 16 * MIB);
        memset(anonymous(8 * MIB, MAP_SHARED), 2, 8 * MIB);
        map_file(4 * MIB, MAP_PRIVATE);
        map_file(2 * MIB, MAP_SHARED);
    } else if (!strcmp(kind, "named") || !strcmp(kind, "unnamed"))
        map_shared_memory(8 * MIB, !strcmp(kind, "named"));
    else if (!strcmp(kind, "undumpable"))
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);

    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf("%.6f\n", seconds(used.ru_utime) + seconds(used.ru_stime)); /* before it crashes */
    fflush(stdout);
    if (!strcmp(kind, "stay"))
        stay();
    else
        abort();
}
