// Uses io_uring without a library, and counts what it costs.
//     ring read FILE COUNT BATCH     random reads past the page cache, BATCH for each system call
//     ring poll FILE COUNT BATCH     the same with a polling thread of the kernel (SQPOLL)
//     ring write FILE COUNT BATCH    writes through the page cache
//     ring wait                      waits for a byte from its standard input
// The last line is JSON: "calls" of io_uring_enter, "workers" of the kernel that were seen.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ENTRIES = 64, BLOCK = 4096 };

static int ring, calls;
static unsigned *sq_tail, *sq_mask, *sq_array, *sq_flags, *cq_head, *cq_tail, *cq_mask;
static struct io_uring_sqe *sqes;
static struct io_uring_cqe *cqes;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void begin(unsigned flags)
{
    struct io_uring_params p = {.flags = flags, .sq_thread_idle = 1000};
    ring = (int)syscall(SYS_io_uring_setup, ENTRIES, &p);
    if (ring < 0)
        fail("io_uring_setup");
    char *sq = mmap(NULL, p.sq_off.array + p.sq_entries * sizeof(unsigned), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_SQ_RING);
    char *cq = mmap(NULL, p.cq_off.cqes + p.cq_entries * sizeof *cqes, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_CQ_RING);
    sqes = mmap(NULL, p.sq_entries * sizeof *sqes, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_SQES);
    if (sq == MAP_FAILED || cq == MAP_FAILED || sqes == MAP_FAILED)
        fail("mmap");
    sq_tail = (unsigned *)(sq + p.sq_off.tail);
    sq_mask = (unsigned *)(sq + p.sq_off.ring_mask);
    sq_array = (unsigned *)(sq + p.sq_off.array);
    sq_flags = (unsigned *)(sq + p.sq_off.flags);
    cq_head = (unsigned *)(cq + p.cq_off.head);
    cq_tail = (unsigned *)(cq + p.cq_off.tail);
    cq_mask = (unsigned *)(cq + p.cq_off.ring_mask);
    cqes = (struct io_uring_cqe *)(cq + p.cq_off.cqes);
}

static void put(int op, int fd, void *buffer, unsigned length, long long offset)
{
    unsigned tail = *sq_tail, at = tail & *sq_mask;
    sqes[at] = (struct io_uring_sqe){.opcode = (unsigned char)op, .fd = fd, .len = length,
                                     .addr = (unsigned long)buffer, .off = (unsigned long long)offset};
    sq_array[at] = at;
    __atomic_store_n(sq_tail, tail + 1, __ATOMIC_RELEASE);
}

static void enter(unsigned submit, unsigned wait, unsigned flags)
{
    calls++;
    if (syscall(SYS_io_uring_enter, ring, submit, wait, flags, NULL, 0) < 0)
        fail("io_uring_enter");
}

// Takes what is complete; returns how many.
static unsigned take(void)
{
    unsigned n = 0, head = *cq_head;
    for (; head != __atomic_load_n(cq_tail, __ATOMIC_ACQUIRE); head++, n++)
        if (cqes[head & *cq_mask].res <= 0) {
            fprintf(stderr, "result %d\n", cqes[head & *cq_mask].res);
            exit(1);
        }
    __atomic_store_n(cq_head, head, __ATOMIC_RELEASE);
    return n;
}

static int workers(void)
{
    int n = 0;
    char name[300], comm[32];
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *e; (e = readdir(tasks));) {
        snprintf(name, sizeof name, "/proc/self/task/%s/comm", e->d_name);
        FILE *f = fopen(name, "r");
        if (f && fgets(comm, sizeof comm, f))
            n += !strncmp(comm, "iou-wrk", 7);
        if (f)
            fclose(f);
    }
    closedir(tasks);
    return n;
}

int main(int argc, char **argv)
{
    char *buffers = mmap(NULL, ENTRIES * BLOCK, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(buffers, 'x', ENTRIES * BLOCK);
    if (argc == 2 && !strcmp(argv[1], "wait")) {
        begin(0);
        put(IORING_OP_READ, 0, buffers, 1, -1);
        enter(1, 1, IORING_ENTER_GETEVENTS);
        return 0;
    }
    if (argc != 5)
        return 2;
    int write = !strcmp(argv[1], "write"), poll = !strcmp(argv[1], "poll");
    int count = atoi(argv[3]), batch = atoi(argv[4]);
    int fd = open(argv[2], write ? O_WRONLY : O_RDONLY | O_DIRECT);
    if (fd < 0)
        fail(argv[2]);
    begin(poll ? IORING_SETUP_SQPOLL : 0);
    srandom(1);
    for (int done = 0; done < count; done += batch) {
        for (int i = 0; i < batch; i++)
            put(write ? IORING_OP_WRITE : IORING_OP_READ, fd, buffers + i * BLOCK, BLOCK,
                random() % 1024 * BLOCK);
        if (!poll)
            enter((unsigned)batch, (unsigned)batch, IORING_ENTER_GETEVENTS);
        for (int n = 0; n < batch; n += (int)take())
            if (poll && __atomic_load_n(sq_flags, __ATOMIC_ACQUIRE) & IORING_SQ_NEED_WAKEUP)
                enter(0, 0, IORING_ENTER_SQ_WAKEUP);
            else if (poll)
                usleep(100);
    }
    int seen = workers();
    printf("{\"calls\": %d, \"workers\": %d}\n", calls, seen);
    return 0;
}
