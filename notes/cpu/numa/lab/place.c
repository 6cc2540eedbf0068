/* Which node pages come to lie on: place touch | policy | count | huge | file NAME | hold */
#include "common.h"
#include <malloc.h>

static char *area;
static void first_half(void *unused) { (void)unused; write_pages(area, 0, N / 2, 1); }
static void second_half(void *unused) { (void)unused; write_pages(area, N / 2, N, 1); }
static void even(void *unused) { (void)unused; write_pages(area, 0, N, 2); }
static void odd(void *unused) { (void)unused; write_pages(area, 1, N, 2); }
static void all(void *unused) { (void)unused; write_pages(area, 0, N, 1); }

enum { BLOCK = 16 };                   /* pages of a block of malloc, 64 KiB */
static char *blocks[N / BLOCK];
static void take_blocks(void *unused)
{
    (void)unused;
    for (int i = 0; i < N / BLOCK; i++) {
        blocks[i] = malloc(BLOCK * PAGE);
        memset(blocks[i], 1, BLOCK * PAGE);
    }
}
static void give_blocks(void *unused)
{
    (void)unused;
    for (int i = 0; i < N / BLOCK; i++)
        free(blocks[i]);
}

static void touch(void)
{
    run_on(0);
    area = fresh(N);
    show("untouched", area, N);
    read_pages(area, 0, N);
    show("read", area, N);
    in_thread(1, all, NULL);           /* allocated and read on node 0, written on node 1 */
    show("written", area, N);

    area = fresh(N);
    memset(area, 0, (size_t)N * PAGE);
    in_thread(0, first_half, NULL);
    in_thread(1, second_half, NULL);
    show("memset", area, N);

    area = fresh(N);
    in_thread(0, first_half, NULL);
    in_thread(1, second_half, NULL);
    show("each", area, N);

    /* A large calloc is a fresh mapping; page 0 would have malloc's header before it. */
    char *zeroed = calloc(N + 1, PAGE);
    area = (char *)(((size_t)zeroed + PAGE) & ~(size_t)(PAGE - 1));
    in_thread(0, first_half, NULL);
    in_thread(1, second_half, NULL);
    show("calloc", area, N);
    free(zeroed);

    area = fresh(N);                   /* a child on node 1 writes what its parent wrote */
    write_pages(area, 0, N, 1);
    if (fork() == 0) {
        run_on(1);
        show("inherited", area, N);
        write_pages(area, 0, N, 1);
        show("copied", area, N);
        exit(0);
    }
    wait(NULL);

    mallopt(M_ARENA_MAX, 1);           /* one heap for all threads, which keeps what is freed */
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    in_thread(0, take_blocks, NULL);
    in_thread(0, give_blocks, NULL);
    in_thread(1, take_blocks, NULL);
    char *lowest = blocks[0];
    for (int i = 1; i < N / BLOCK; i++)
        if (blocks[i] < lowest)
            lowest = blocks[i];
    area = (char *)(((size_t)lowest + PAGE) & ~(size_t)(PAGE - 1));
    show("reused", area, N - 1);
}

/* Policies: a thread's own, what they do to pages that are there, and how to move those. */
static pthread_barrier_t begin, ready;
static void *older(void *arg)
{
    run_on(0);
    pthread_barrier_wait(&ready);
    pthread_barrier_wait(&begin);
    write_pages(arg, 0, N, 1);
    return NULL;
}

static void policy(void)
{
    unsigned long both = 3, second = 2, first = 1;
    run_on(0);
    set_policy(MPOL_BIND, second);
    area = fresh(N);
    write_pages(area, 0, N, 1);
    show("bind", area, N);
    set_policy(MPOL_INTERLEAVE, both);
    area = fresh(N);
    write_pages(area, 0, N, 1);
    show("interleave", area, N);
    set_policy(MPOL_DEFAULT, 0);

    area = fresh(N);
    write_pages(area, 0, N, 1);
    set_policy(MPOL_INTERLEAVE, both);
    read_pages(area, 0, N);
    show("late", area, N);
    set_policy(MPOL_DEFAULT, 0);
    if (syscall(SYS_mbind, area, (long)N * PAGE, MPOL_INTERLEAVE, &both, 64, 0)) perror("mbind");
    show("mbind", area, N);
    if (syscall(SYS_mbind, area, (long)N * PAGE, MPOL_INTERLEAVE, &both, 64, MPOL_MF_MOVE))
        perror("mbind");
    show("dealt", area, N);
    if (syscall(SYS_mbind, area, (long)N * PAGE, MPOL_BIND, &second, 64, MPOL_MF_MOVE))
        perror("mbind");
    show("bound", area, N);
    if (syscall(SYS_mbind, area, (long)N * PAGE, MPOL_DEFAULT, NULL, 0, 0)) perror("mbind");
    if (syscall(SYS_migrate_pages, 0, 64, &second, &first) < 0) perror("migrate_pages");
    show("migrated", area, N);

    pthread_t t;
    pthread_barrier_init(&begin, NULL, 2);
    pthread_barrier_init(&ready, NULL, 2);
    char *mine = fresh(N), *newer = area = fresh(N);
    pthread_create(&t, NULL, older, mine);
    pthread_barrier_wait(&ready);
    set_policy(MPOL_BIND, second);     /* after that thread was made */
    pthread_barrier_wait(&begin);
    pthread_join(t, NULL);
    show("older", mine, N);
    in_thread(0, all, NULL);
    show("newer", newer, N);
}

/* What the counters of the nodes count: allocations, not accesses. */
static long stat_of(int node, const char *name)
{
    char file[80];
    snprintf(file, sizeof file, "/sys/devices/system/node/node%d/numastat", node);
    return counter(file, name);
}

static void count(void)
{
    run_on(0);
    area = fresh(N);
    set_policy(MPOL_BIND, 2);
    read_pages(area, 0, 1);
    long hit = stat_of(1, "numa_hit"), other = stat_of(1, "other_node");
    long miss = stat_of(1, "numa_miss") + stat_of(0, "numa_miss");
    write_pages(area, 0, N, 1);
    long hit2 = stat_of(1, "numa_hit"), other2 = stat_of(1, "other_node");
    long miss2 = stat_of(1, "numa_miss") + stat_of(0, "numa_miss");
    for (int i = 0; i < 20; i++)
        read_pages(area, 0, N);
    printf("alloc_hit %ld\nalloc_other %ld\nalloc_miss %ld\n", hit2 - hit, other2 - other,
           miss2 - miss);
    printf("reads_hit %ld\nreads_other %ld\n", stat_of(1, "numa_hit") - hit2,
           stat_of(1, "other_node") - other2);
}

static void huge(void)
{
    run_on(0);
    area = fresh(N + 512);
    area = (char *)(((size_t)area + (2 << 20) - 1) & ~(size_t)((2 << 20) - 1));
    in_thread(0, even, NULL);
    in_thread(1, odd, NULL);
    show("small", area, N);
    set_file("/sys/kernel/mm/transparent_hugepage/enabled", "always");
    area = fresh(N + 512);
    area = (char *)(((size_t)area + (2 << 20) - 1) & ~(size_t)((2 << 20) - 1));
    in_thread(0, even, NULL);
    in_thread(1, odd, NULL);
    show("huge", area, N);
    set_file("/sys/kernel/mm/transparent_hugepage/enabled", "never");
}

/* A file that somebody on node 0 wrote, mapped by a process that is bound to node 1. */
static void file(void)
{
    int fd = open("/tmp/file", O_RDWR | O_CREAT, 0600);
    static char page[PAGE];
    run_on(0);
    for (int i = 0; i < N; i++)
        if (write(fd, page, PAGE) != PAGE) perror("write");
    run_on(1);
    set_policy(MPOL_BIND, 2);
    area = mmap(NULL, (size_t)N * PAGE, PROT_READ, MAP_SHARED, fd, 0);
    read_pages(area, 0, N);
    show("file", area, N);
    area = fresh(N);
    if (pread(fd, area, (size_t)N * PAGE, 0) < 0) perror("pread");
    show("buffer", area, N);
}

static void hold(void)                 /* writes 32 MiB and waits, for a look from outside */
{
    area = fresh(N);
    write_pages(area, 0, N, 1);
    pause();
}

int main(int argc, char **argv)
{
    struct { const char *name; void (*f)(void); } known[] = {
        {"touch", touch}, {"policy", policy}, {"count", count},
        {"huge", huge}, {"file", file}, {"hold", hold}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (argc > 1 && !strcmp(argv[1], known[i].name)) {
            known[i].f();
            return 0;
        }
    return 2;
}
