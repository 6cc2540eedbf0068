/* Loads a library and shows what that does to MXCSR: in this thread, in one that was running
   before, and in one that is started afterwards. */
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <xmmintrin.h>

static sem_t loaded;

static unsigned flags(void) { return _mm_getcsr() & 0x8040; }

static void *when_loaded(void *unused)
{
    (void)unused;
    sem_wait(&loaded);
    return (void *)(uintptr_t)flags();
}

static void *at_once(void *unused)
{
    (void)unused;
    return (void *)(uintptr_t)flags();
}

int main(int argc, char **argv)
{
    pthread_t old, young;
    void *in_old, *in_young;
    unsigned before = flags();
    sem_init(&loaded, 0, 0);
    if (argc != 2 || pthread_create(&old, NULL, when_loaded, NULL))
        return 2;
    if (!dlopen(argv[1], RTLD_NOW)) {
        fprintf(stderr, "load: %s\n", dlerror());
        return 1;
    }
    sem_post(&loaded);
    if (pthread_create(&young, NULL, at_once, NULL))
        return 2;
    pthread_join(old, &in_old);
    pthread_join(young, &in_young);
    printf("{\"before\": %u, \"after\": %u, \"old_thread\": %u, \"new_thread\": %u}\n", before, flags(),
           (unsigned)(uintptr_t)in_old, (unsigned)(uintptr_t)in_young);
    return 0;
}
