/* One function for each atomic operation and order; orders.py counts what the compilers make of them. */
#include <stdatomic.h>
#include <stdbool.h>

extern atomic_long a;
extern long payload;
extern bool stop;
extern volatile bool volatile_stop;
extern atomic_bool atomic_stop;

long load_relaxed(void) { return atomic_load_explicit(&a, memory_order_relaxed); }
long load_acquire(void) { return atomic_load_explicit(&a, memory_order_acquire); }
long load_seq_cst(void) { return atomic_load(&a); }

void store_relaxed(void) { atomic_store_explicit(&a, 1, memory_order_relaxed); }
void store_release(void) { atomic_store_explicit(&a, 1, memory_order_release); }
void store_seq_cst(void) { atomic_store(&a, 1); }

long add_relaxed(void) { return atomic_fetch_add_explicit(&a, 1, memory_order_relaxed); }
long add_acq_rel(void) { return atomic_fetch_add_explicit(&a, 1, memory_order_acq_rel); }
long add_seq_cst(void) { return atomic_fetch_add(&a, 1); }

void fence_acquire(void) { atomic_thread_fence(memory_order_acquire); }
void fence_release(void) { atomic_thread_fence(memory_order_release); }
void fence_seq_cst(void) { atomic_thread_fence(memory_order_seq_cst); }

/* A waiting loop on a plain variable, on a volatile one, and on an atomic one. */
void wait_plain(void) { while (!stop) { } }
void wait_volatile(void) { while (!volatile_stop) { } }
void wait_relaxed(void) { while (!atomic_load_explicit(&atomic_stop, memory_order_relaxed)) { } }

/* A thousand increments of a plain variable. */
void thousand_plain(void)
{
    for (int k = 0; k < 1000; k++)
        payload++;
}
