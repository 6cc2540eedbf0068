/* Small programs whose events are known beforehand: page faults, switches, calls.

   events touch N            touch N fresh pages, one byte each
   events again N            touch one page N times
   events read N             let the kernel fill N fresh pages, by read()
   events pingpong N         two processes on one CPU hand a byte to and fro N times
   events alone N            one process hands itself a byte N times                     */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void must(int done, const char *what)
{
    if (!done) {
        perror(what);
        exit(1);
    }
}

static char *fresh(long pages, long size)
{
    char *at = mmap(NULL, pages * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    must(at != MAP_FAILED, "mmap");
    madvise(at, pages * size, MADV_NOHUGEPAGE);
    return at;
}

static void pass(int in, int out, long times, int first)
{
    char byte = 'x';
    for (long i = 0; i < times; i++) {
        if (first)
            must(write(out, &byte, 1) == 1, "write");
        must(read(in, &byte, 1) == 1, "read");
        if (!first)
            must(write(out, &byte, 1) == 1, "write");
    }
}

/* Stay on the CPU on which the program runs now. */
static void stay(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    must(sched_setaffinity(0, sizeof one, &one) == 0, "sched_setaffinity");
}

int main(int argc, char **argv)
{
    must(argc == 3, "usage: events WHAT N");
    const char *what = argv[1];
    long n = atol(argv[2]), size = sysconf(_SC_PAGESIZE);
    int there[2], back[2];

    if (!strcmp(what, "touch") || !strcmp(what, "again")) {
        volatile char *at = fresh(n, size);
        for (long i = 0; i < n; i++)
            at[what[0] == 't' ? i * size : 0] = 1;
    } else if (!strcmp(what, "read")) {
        char *at = fresh(n, size);
        int zero = open("/dev/zero", O_RDONLY);
        for (long i = 0; i < n; i++)
            must(read(zero, at + i * size, size) == size, "read");
    } else if (!strcmp(what, "pingpong")) {
        stay();
        must(pipe(there) == 0 && pipe(back) == 0, "pipe");
        if (fork() == 0) {
            pass(there[0], back[1], n, 0);
            _exit(0);
        }
        pass(back[0], there[1], n, 1);
        wait(NULL);
    } else if (!strcmp(what, "alone")) {
        stay();
        must(pipe(there) == 0, "pipe");
        pass(there[0], there[1], n, 1);
    } else {
        must(0, "unknown");
    }
    return 0;
}
