/* Programs that each wait in one way, and what the kernel has counted for the waiting thread.

   Usage: waits KIND TURNS
       sleep     clock_nanosleep, PAUSE long
       lock      a mutex that the other thread holds meanwhile
       pipe      read() of an answer from another process
       net       recv() of the same answer over a TCP connection on the loopback
       child     fork() and wait for the child
       vfork     vfork(): the kernel holds the parent until the child ends
       fault     the first touch of a page of a mapped file that is not in memory
       read      pread() of such a page
       resident  the first touch of a page of a mapped file that is in memory
       busy      computes for PAUSE of CPU time
   Whoever answers does so after PAUSE, and only when asked, so that each turn waits once.
   Prints "begin" and one JSON object: the difference over all turns. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAUSE = 5000000, PAGE = 4096 }; /* nanoseconds, bytes */

static int turns, ask, answer, file;
static char *mapped;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int held;

static void die(const char *what)
{
    fprintf(stderr, "waits: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void check(long result, const char *what)
{
    if (result < 0)
        die(what);
}

static void pause_once(void)
{
    struct timespec t = {0, PAUSE};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* The other sides. */

static int asleep(pid_t thread) /* whether it is in the state S */
{
    char path[60], state = '?';
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
    FILE *f = fopen(path, "r");
    if (!f || fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
        die(path);
    fclose(f);
    return state == 'S';
}

static void *holder(void *unused)
{
    for (int k = 0; k < turns; k++) {
        pthread_mutex_lock(&mutex);
        __atomic_store_n(&held, 1, __ATOMIC_RELEASE);
        while (!asleep(getpid())) /* the main thread, which waits for the mutex */
            sched_yield();
        pause_once();
        pthread_mutex_unlock(&mutex);
        while (__atomic_load_n(&held, __ATOMIC_ACQUIRE))
            sched_yield();
    }
    return unused;
}

static void answerer(int from, int to)
{
    char c;
    while (read(from, &c, 1) == 1) {
        pause_once();
        check(write(to, &c, 1), "answer");
    }
    _exit(0);
}

static void start_pipe(void)
{
    int there[2], back[2];
    check(pipe(there), "pipe"), check(pipe(back), "pipe");
    pid_t child = fork();
    check(child, "fork");
    if (!child)
        close(there[1]), close(back[0]), answerer(there[0], back[1]);
    close(there[0]), close(back[1]);
    ask = there[1], answer = back[0];
}

static void start_net(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    check(listener, "socket"), check(bind(listener, (void *)&at, length), "bind");
    check(listen(listener, 1), "listen");
    check(getsockname(listener, (void *)&at, &length), "getsockname");
    pid_t child = fork();
    check(child, "fork");
    if (!child) {
        int s = accept(listener, NULL, NULL);
        check(s, "accept");
        answerer(s, s);
    }
    close(listener);
    ask = answer = socket(AF_INET, SOCK_STREAM, 0);
    check(connect(ask, (void *)&at, sizeof at), "connect");
}

static void start_file(int in_memory)
{
    static char page[PAGE] = "page";
    file = open("pages", O_RDWR | O_CREAT | O_TRUNC, 0600);
    check(file, "pages");
    for (int k = 0; k < turns; k++)
        check(pwrite(file, page, PAGE, (off_t)k * PAGE), "pwrite");
    check(fsync(file), "fsync");
    mapped = mmap(NULL, (size_t)turns * PAGE, PROT_READ, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED)
        die("mmap");
    madvise(mapped, (size_t)turns * PAGE, MADV_RANDOM);
    posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
    if (!in_memory)
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
}

/* One turn of each kind. */

static void turn_lock(void)
{
    while (!__atomic_load_n(&held, __ATOMIC_ACQUIRE))
        sched_yield(); /* the holder is about to take it; this does not sleep */
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    __atomic_store_n(&held, 0, __ATOMIC_RELEASE);
}

static void turn_answer(void)
{
    char c = 'x';
    check(write(ask, &c, 1), "ask");
    check(read(answer, &c, 1), "answer");
}

static void turn_net(void)
{
    char c = 'x';
    check(send(ask, &c, 1, 0), "send");
    check(recv(answer, &c, 1, 0), "recv");
}

static void turn_child(void)
{
    pid_t child = fork();
    check(child, "fork");
    if (!child)
        pause_once(), _exit(0);
    check(waitpid(child, NULL, 0), "waitpid");
}

static void turn_vfork(void)
{
    pid_t child = vfork();
    check(child, "vfork");
    if (!child)
        pause_once(), _exit(0);
}

static void turn_busy(void)
{
    double end = seconds(CLOCK_THREAD_CPUTIME_ID) + 1e-9 * PAUSE;
    while (seconds(CLOCK_THREAD_CPUTIME_ID) < end)
        ;
}

static void turn_file(int k, int by_call)
{
    char page[PAGE];
    if (by_call)
        check(pread(file, page, PAGE, (off_t)k * PAGE), "pread");
    else
        (void)*(volatile char *)(mapped + (size_t)k * PAGE);
}

static void work(const char *kind)
{
    for (int k = 0; k < turns; k++)
        if (!strcmp(kind, "sleep"))
            pause_once();
        else if (!strcmp(kind, "lock"))
            turn_lock();
        else if (!strcmp(kind, "pipe"))
            turn_answer();
        else if (!strcmp(kind, "net"))
            turn_net();
        else if (!strcmp(kind, "child"))
            turn_child();
        else if (!strcmp(kind, "vfork"))
            turn_vfork();
        else if (!strcmp(kind, "busy"))
            turn_busy();
        else
            turn_file(k, !strcmp(kind, "read"));
}

static void own_delay(double *ran, double *ready) /* seconds, as in /proc/PID/schedstat */
{
    FILE *f = fopen("/proc/thread-self/schedstat", "r");
    if (!f || fscanf(f, "%lf %lf", ran, ready) != 2)
        die("/proc/thread-self/schedstat");
    fclose(f);
    *ran /= 1e9, *ready /= 1e9;
}

int main(int count, char **arguments)
{
    if (count != 3)
        return fprintf(stderr, "usage: waits KIND TURNS\n"), 2;
    const char *kind = arguments[1];
    turns = atoi(arguments[2]);
    pthread_t other;
    if (!strcmp(kind, "lock") && pthread_create(&other, NULL, holder, NULL))
        die("pthread_create");
    if (!strcmp(kind, "vfork"))
        signal(SIGCHLD, SIG_IGN); /* no wait for what is left of the child */
    if (!strcmp(kind, "pipe"))
        start_pipe();
    if (!strcmp(kind, "net"))
        start_net();
    if (!strcmp(kind, "fault") || !strcmp(kind, "read") || !strcmp(kind, "resident"))
        start_file(!strcmp(kind, "resident"));

    puts("begin"), fflush(stdout); /* from here on somebody may look at it */

    struct rusage a, b;
    double ran[2], ready[2], wall = seconds(CLOCK_MONOTONIC);
    own_delay(&ran[0], &ready[0]);
    getrusage(RUSAGE_THREAD, &a);
    work(kind);
    getrusage(RUSAGE_THREAD, &b);
    own_delay(&ran[1], &ready[1]);
    wall = seconds(CLOCK_MONOTONIC) - wall;
    unlink("pages");
    printf("{\"wall\": %.6f, \"ran\": %.6f, \"ready\": %.6f, \"voluntary\": %ld, "
           "\"involuntary\": %ld, \"major\": %ld, \"minor\": %ld}\n",
           wall, ran[1] - ran[0], ready[1] - ready[0], b.ru_nvcsw - a.ru_nvcsw,
           b.ru_nivcsw - a.ru_nivcsw, b.ru_majflt - a.ru_majflt, b.ru_minflt - a.ru_minflt);
    return 0;
}
