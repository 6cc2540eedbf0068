/* Single operations between two breakpoints, for step.c: operations NAME alone|threads.

   With "threads" a second thread has been started before, and waits for the end. */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <shared_mutex>

struct alignas(16) pair16 { long first, second; };
struct triple { long first, second, third; };

static std::atomic<long> word;
static std::atomic<pair16> sixteen;
static std::atomic<triple> twenty_four;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static std::shared_mutex shared;
static std::shared_ptr<long> owner = std::make_shared<long>(1);
static std::once_flag once;
static sem_t semaphore;
static volatile long sink;

static void begin() { __asm__ volatile("int3" ::: "memory"); }
static void end() { __asm__ volatile("int3" ::: "memory"); }

__attribute__((noinline)) static void by_reference(const std::shared_ptr<long> &p) { sink = *p; }
__attribute__((noinline)) static void by_value(std::shared_ptr<long> p) { sink = *p; }

static void nothing() {}
static void load() { sink = word.load(); }
static void store_release() { word.store(1, std::memory_order_release); }
static void store_seq_cst() { word.store(1); }
static void add() { word.fetch_add(1, std::memory_order_relaxed); }
static void lock_mutex() { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); }
static void lock_spin() { pthread_spin_lock(&spin); pthread_spin_unlock(&spin); }
static void lock_read() { pthread_rwlock_rdlock(&rwlock); pthread_rwlock_unlock(&rwlock); }
static void lock_write() { pthread_rwlock_wrlock(&rwlock); pthread_rwlock_unlock(&rwlock); }
static void lock_shared() { std::shared_lock<std::shared_mutex> hold(shared); }
static void post_wait() { sem_post(&semaphore); sem_wait(&semaphore); }
static void call_once() { std::call_once(once, nothing); }
static void pointer_value() { by_value(owner); }
static void pointer_reference() { by_reference(owner); }
static void pointer_move() { auto p = std::move(owner); owner = std::move(p); }
static void load_16() { sink = sixteen.load().first; }
static void store_16() { sixteen.store(pair16{1, 2}); }
static void load_24() { sink = twenty_four.load().first; }

static const struct { const char *name; void (*work)(); } known[] = {
    {"nothing", nothing}, {"load", load}, {"store_release", store_release},
    {"store_seq_cst", store_seq_cst}, {"add", add}, {"mutex", lock_mutex}, {"spin", lock_spin},
    {"read", lock_read}, {"write", lock_write}, {"shared", lock_shared}, {"semaphore", post_wait},
    {"once", call_once}, {"pointer_value", pointer_value},
    {"pointer_reference", pointer_reference}, {"pointer_move", pointer_move},
    {"load_16", load_16}, {"store_16", store_16}, {"load_24", load_24}};

static void *wait_here(void *) { pause(); return nullptr; }

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "lockfree")) {
        printf("{\"eight\": %d, \"sixteen\": %d, \"sixteen_always\": %d, \"twenty_four\": %d}\n",
               word.is_lock_free(), sixteen.is_lock_free(), sixteen.is_always_lock_free,
               twenty_four.is_lock_free());
        return 0;
    }
    if (argc != 3)
        return 2;
    pthread_spin_init(&spin, 0);
    sem_init(&semaphore, 0, 0);
    if (!strcmp(argv[2], "threads")) {
        pthread_t other;
        if (pthread_create(&other, nullptr, wait_here, nullptr))
            return 2;
    }
    for (const auto &one : known)
        if (!strcmp(one.name, argv[1])) {
            one.work(); /* so that what only the first call does is over */
            begin();
            one.work();
            end();
            _exit(0);
        }
    return 2;
}
