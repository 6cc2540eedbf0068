/* Where pages are, who touches them, and the kernel's counters. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, N = 8192 };        /* 8192 pages are 32 MiB */

static inline void run_on(int cpu)     /* CPU 0 is the one of node 0, CPU 1 of node 1 */
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set)) { perror("sched_setaffinity"); exit(1); }
}

static inline char *fresh(long pages)
{
    char *p = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) { perror("mmap"); exit(1); }
    return p;
}

static inline void write_pages(char *p, long from, long to, long step)
{
    for (long i = from; i < to; i += step)
        ((volatile char *)p)[i * PAGE] = 1;
}

static inline long read_pages(char *p, long from, long to)
{
    long sum = 0;
    for (long i = from; i < to; i++)
        sum += ((volatile char *)p)[i * PAGE];
    return sum;
}

static inline void set_policy(int mode, unsigned long nodes)
{
    if (syscall(SYS_set_mempolicy, mode, &nodes, 64)) { perror("set_mempolicy"); exit(1); }
}

/* Prints `NAME_n0 ...` and `NAME_n1 ...`: pages of the range that each node holds. */
static inline void show(const char *name, char *p, long pages)
{
    void **at = malloc(pages * sizeof *at);
    int *node = malloc(pages * sizeof *node);
    long held[2] = {0, 0};
    for (long i = 0; i < pages; i++)
        at[i] = p + i * PAGE;
    if (syscall(SYS_move_pages, 0, pages, at, NULL, node, 0)) { perror("move_pages"); exit(1); }
    for (long i = 0; i < pages; i++)
        if (node[i] == 0 || node[i] == 1)
            held[node[i]]++;
    printf("%s_n0 %ld\n%s_n1 %ld\n", name, held[0], name, held[1]);
    fflush(stdout);
    free(at);
    free(node);
}

/* The number behind a name in a file of the kernel, or -1. */
static inline long counter(const char *file, const char *name)
{
    char word[128] = "";
    long value = -1;
    FILE *f = fopen(file, "r");
    while (f && fscanf(f, "%127s", word) == 1)
        if (!strcmp(word, name) && fscanf(f, "%ld", &value) == 1)
            break;
    if (f) fclose(f);
    return value;
}

static inline void set_file(const char *file, const char *text)
{
    int fd = open(file, O_WRONLY);
    if (fd < 0 || write(fd, text, strlen(text)) < 0) { perror(file); exit(1); }
    close(fd);
}

/* Runs f(argument) in a thread on a CPU, and waits for it. */
struct call { void (*f)(void *); void *argument; int cpu; };
static inline void *start(void *arg)
{
    struct call *c = arg;
    run_on(c->cpu);
    c->f(c->argument);
    return NULL;
}
static inline void in_thread(int cpu, void (*f)(void *), void *argument)
{
    struct call c = {f, argument, cpu};
    pthread_t t;
    if (pthread_create(&t, NULL, start, &c)) { perror("pthread_create"); exit(1); }
    pthread_join(t, NULL);
}
