/* A node that is full: pressure full | cache | swap | cpuset */
#include "common.h"
#include <sys/mount.h>
#include <sys/stat.h>

static long free_pages(int node)
{
    char file[80], word[64];
    long kib = 0;
    snprintf(file, sizeof file, "/sys/devices/system/node/node%d/meminfo", node);
    FILE *f = fopen(file, "r");
    while (f && fscanf(f, "%63s", word) == 1)
        if (!strcmp(word, "MemFree:") && fscanf(f, "%ld", &kib) == 1)
            break;
    if (f) fclose(f);
    return kib / 4;
}

static long sum_of(const char *name)
{
    return counter("/sys/devices/system/node/node0/numastat", name)
           + counter("/sys/devices/system/node/node1/numastat", name);
}

/* Lines of the kernel's log that hold a text. */
static long logged(const char *text)
{
    char line[4096];
    long found = 0, n;
    int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
    while ((n = read(fd, line, sizeof line - 1)) > 0) {
        line[n] = 0;
        found += strstr(line, text) != NULL;
    }
    close(fd);
    return found;
}

static volatile long *shared;          /* [0] pages written so far, [1] free pages of node 0 */

/* A child on node 1 writes new pages under a policy. Returns the signal that ended it, or 0. */
static int ask_for(const char *name, int mode, unsigned long nodes, long pages)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        run_on(1);
        if (mode != MPOL_DEFAULT)
            set_policy(mode, nodes);
        char *p = fresh(pages);
        for (long i = 0; i < pages; i++) {
            p[i * PAGE] = 1;
            shared[0] = i + 1;
            if (i % 256 == 0)
                shared[1] = free_pages(0);
        }
        show(name, p, pages);
        exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    printf("%s_asked %ld\n%s_wrote %ld\n", name, pages, name, shared[0]);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static int ask_for_more(const char *name, int mode, unsigned long nodes)
{
    return ask_for(name, mode, nodes, free_pages(1) + N);
}

static void full(void)
{
    shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    long miss = sum_of("numa_miss"), foreign = sum_of("numa_foreign");
    printf("default_signal %d\n", ask_for_more("default", MPOL_DEFAULT, 0));
    printf("default_miss %ld\ndefault_foreign %ld\n", sum_of("numa_miss") - miss,
           sum_of("numa_foreign") - foreign);
    printf("preferred_signal %d\n", ask_for_more("preferred", MPOL_PREFERRED, 2));
    printf("interleave_signal %d\n", ask_for_more("interleave", MPOL_INTERLEAVE, 3));
    printf("log_before %ld\n", logged("CONSTRAINT_MEMORY_POLICY"));
    printf("bind_signal %d\n", ask_for_more("bind", MPOL_BIND, 2));
    printf("bind_left %ld\n", shared[1] / 256);    /* MiB */
    printf("log_after %ld\n", logged("CONSTRAINT_MEMORY_POLICY"));
}

/* Fills node 0 with the page cache of a disk, then writes 8 MiB there under a policy. */
enum { FEW = 2048 };
static int disk;
static void after_cache(const char *name, int mode, const char *reclaim)
{
    static char part[1 << 18];
    set_file("/proc/sys/vm/zone_reclaim_mode", reclaim);
    fflush(stdout);
    if (fork() == 0) {
        run_on(0);
        while (disk && free_pages(0) > FEW && read(disk, part, sizeof part) > 0)
            ;
        printf("%s_free %ld\n", name, free_pages(0));
        if (mode != MPOL_DEFAULT)
            set_policy(mode, 1);
        char *p = fresh(FEW);
        write_pages(p, 0, FEW, 1);
        show(name, p, FEW);
        exit(0);
    }
    wait(NULL);
}

static void cache(void)
{
    run_on(0);
    set_policy(MPOL_BIND, 1);          /* ballast, so that less has to be read from the disk */
    long rest = free_pages(0) - 3 * FEW;
    write_pages(fresh(rest), 0, rest, 1);
    set_policy(MPOL_DEFAULT, 0);
    after_cache("empty", MPOL_DEFAULT, "0");
    disk = open("/dev/mmcblk0", O_RDONLY);
    after_cache("cached", MPOL_DEFAULT, "0");
    after_cache("reclaim", MPOL_DEFAULT, "1");
    after_cache("strict", MPOL_BIND, "0");
}

/* A process that is bound to node 1 writes more than that has free, with a disk to swap to. */
static void swap(void)
{
    shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    run_on(1);
    set_policy(MPOL_BIND, 2);          /* ballast: what nobody may swap out */
    long rest = free_pages(1) - 2 * N;
    char *p = fresh(rest);
    if (mlock(p, rest * PAGE)) perror("mlock");
    set_policy(MPOL_DEFAULT, 0);
    long before = counter("/proc/vmstat", "pswpout");
    printf("free_signal %d\n", ask_for("free", MPOL_DEFAULT, 0, 2 * N + 1024));
    printf("free_out %ld\n", counter("/proc/vmstat", "pswpout") - before);
    before = counter("/proc/vmstat", "pswpout");
    printf("swap_signal %d\n", ask_for("swap", MPOL_BIND, 2, 2 * N + 1024));
    printf("swap_out %ld\nswap_left %ld\n", counter("/proc/vmstat", "pswpout") - before,
           shared[1] / 256);
}

static void cpuset(void)
{
    unsigned long second = 2;
    mkdir("/cg", 0700);
    if (mount("cgroup2", "/cg", "cgroup2", 0, NULL)) perror("mount");
    set_file("/cg/cgroup.subtree_control", "+cpuset");
    mkdir("/cg/one", 0700);
    set_file("/cg/one/cpuset.mems", "0");
    run_on(1);
    char *before = fresh(N);
    write_pages(before, 0, N, 1);
    show("outside", before, N);
    set_file("/cg/one/cgroup.procs", "0");
    show("entered", before, N);
    long refused = syscall(SYS_set_mempolicy, MPOL_BIND, &second, 64) ? errno : 0;
    char *p = fresh(N);
    write_pages(p, 0, N, 1);
    show("inside", p, N);
    printf("refused %ld\n", refused);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "full")) full();
    else if (argc > 1 && !strcmp(argv[1], "cache")) cache();
    else if (argc > 1 && !strcmp(argv[1], "swap")) swap();
    else if (argc > 1 && !strcmp(argv[1], "cpuset")) cpuset();
    else return 2;
    return 0;
}
