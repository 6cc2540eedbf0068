// Allocations whose number and size are known.
//
// heap KEPT [FILE [thread [odd]]]
//
// keeps KEPT blocks of 64 B, frees 100,000 of 48 B at once, keeps 8 of 4 MiB; with FILE, writes
// tcmalloc's own sample of the heap there; with "thread", a second thread allocates; with "odd", the
// kept blocks have 65 B, for which tcmalloc reserves more.
#include <gperftools/malloc_extension.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

static std::vector<void *> kept;

// The empty statement keeps gcc from leaving the allocation out.
#define TAKE(name, bytes)                                                                          \
    __attribute__((noinline)) static void *name() {                                                \
        void *p = malloc(bytes);                                                                   \
        asm volatile("" ::"r"(p) : "memory");                                                      \
        return p;                                                                                  \
    }
TAKE(keep_small, 64)
TAKE(keep_odd, 65)
TAKE(take_briefly, 48)
TAKE(keep_large, 4 << 20)

static void allocate(long n, bool odd) {
    for (long i = 0; i < n; i++) kept.push_back(odd ? keep_odd() : keep_small());
    for (int i = 0; i < 100000; i++) free(take_briefly());
    for (int i = 0; i < 8; i++) kept.push_back(keep_large());
}

int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 100000;
    kept.reserve(n + 8);
    if (argc > 3) std::thread(allocate, n, argc > 4).join();
    else allocate(n, false);
    if (argc > 2) {
        std::string text;
        MallocExtension::instance()->GetHeapSample(&text);
        std::ofstream(argv[2]) << text;
    }
}
