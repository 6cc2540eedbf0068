/* Two threads add to one counter without a lock, or with one.
 *
 * race plain|locked ROUNDS TIMES     prints how many of the additions got lost
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 2 };

static long counter, times;
static int locked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t start;

/* One instruction, which reads the counter, adds, and writes it back. */
static void add(void)
{
    __asm__ volatile("addq $1, %0" : "+m"(counter));
}

static void *work(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&start);
    for (long i = 0; i < times; i++)
        if (locked) {
            pthread_mutex_lock(&lock);
            add();
            pthread_mutex_unlock(&lock);
        } else
            add();
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc != 4 || (strcmp(argv[1], "plain") && strcmp(argv[1], "locked"))) {
        fprintf(stderr, "usage: race plain|locked ROUNDS TIMES\n");
        return 2;
    }
    locked = !strcmp(argv[1], "locked");
    long rounds = atol(argv[2]);
    times = atol(argv[3]);
    pthread_barrier_init(&start, NULL, THREADS);
    for (long round = 0; round < rounds; round++) {
        pthread_t thread[THREADS];
        for (int i = 0; i < THREADS; i++)
            pthread_create(&thread[i], NULL, work, NULL);
        for (int i = 0; i < THREADS; i++)
            pthread_join(thread[i], NULL);
    }
    printf("lost %ld of %ld\n", THREADS * rounds * times - counter, THREADS * rounds * times);
}
