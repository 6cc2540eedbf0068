/* Programs for ThreadSanitizer, one for each NAME: races NAME. Each has two threads and ends soon. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static long payload;
static volatile long volatile_payload;
static volatile int volatile_flag;
static atomic_int flag, x, y, total;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void wait_for(atomic_int *what) /* relaxed: orders nothing else */
{
    while (!atomic_load_explicit(what, memory_order_relaxed)) { }
}

static void tell(atomic_int *what) { atomic_store_explicit(what, 1, memory_order_relaxed); }
static void through_lock(void) { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); }

static void count(void) { payload++; }
static void count_volatile(void) { volatile_payload++; }

static void write_volatile(void) { payload = 1; volatile_flag = 1; }
static void read_volatile(void) { while (!volatile_flag) { } payload++; }
static void write_relaxed(void) { payload = 1; tell(&flag); }
static void read_relaxed(void) { wait_for(&flag); payload++; }
static void write_release(void) { payload = 1; atomic_store_explicit(&flag, 1, memory_order_release); }
static void read_acquire(void)
{
    while (!atomic_load_explicit(&flag, memory_order_acquire)) { }
    payload++;
}

static void write_fence(void)
{
    payload = 1;
    atomic_thread_fence(memory_order_release);
    tell(&flag);
}

static void read_fence(void)
{
    wait_for(&flag);
    atomic_thread_fence(memory_order_acquire);
    payload++;
}

/* All atomic, and wrong all the same: an addition in two steps, and store buffering. */
static void two_steps(void) { for (int k = 0; k < 1000; k++) atomic_store(&total, atomic_load(&total) + 1); }
static void buffer_x(void) { tell(&x); (void)atomic_load_explicit(&y, memory_order_relaxed); }
static void buffer_y(void) { tell(&y); (void)atomic_load_explicit(&x, memory_order_relaxed); }

/* A race that a lock beside it hides in this order, and not in the other. */
static void lock_after(void) { payload = 1; through_lock(); tell(&flag); }
static void lock_before(void) { wait_for(&flag); through_lock(); payload = 2; }
static void no_lock_after(void) { through_lock(); payload = 1; tell(&flag); }
static void no_lock_before(void) { wait_for(&flag); payload = 2; through_lock(); }

static const struct { const char *name; void (*one)(void), (*two)(void); } known[] = {
    {"plain", count, count}, {"volatile", count_volatile, count_volatile},
    {"volatile_flag", write_volatile, read_volatile}, {"relaxed_flag", write_relaxed, read_relaxed},
    {"release_flag", write_release, read_acquire}, {"fences", write_fence, read_fence},
    {"two_steps", two_steps, two_steps}, {"buffering", buffer_x, buffer_y},
    {"hidden", lock_after, lock_before}, {"seen", no_lock_after, no_lock_before}};

static void *run(void *work)
{
    (*(void (**)(void))work)();
    return NULL;
}

int main(int argc, char **argv)
{
    for (size_t k = 0; argc == 2 && k < sizeof known / sizeof *known; k++)
        if (!strcmp(known[k].name, argv[1])) {
            pthread_t threads[2];
            void (*work[2])(void) = {known[k].one, known[k].two};
            for (int t = 0; t < 2; t++)
                if (pthread_create(&threads[t], NULL, run, &work[t]))
                    return 2;
            for (int t = 0; t < 2; t++)
                pthread_join(threads[t], NULL);
            return 0;
        }
    fprintf(stderr, "races: unknown program\n");
    return 2;
}
