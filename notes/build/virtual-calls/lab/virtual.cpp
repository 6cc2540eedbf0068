// Loops over an array that differ only in how the operation is called. Built without speculation,
// so that each_virtual does what its source says.
//
//   virtual bench     time them, interleaved, and print the samples as JSON
//   virtual sizes     print the sizes of objects as JSON
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <utility>

#include "ops.h"

#define LOOP extern "C" __attribute__((noinline, noclone)) void

enum { N = 2048, CALLS = 1500, OBJECTS = 65536, ROUNDS = 15 };

LOOP each_virtual(const Op *op, const float *__restrict in, float *__restrict out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = op->apply(in[i]);
}

LOOP each_final(const Final *op, const float *__restrict in, float *__restrict out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = op->apply(in[i]);
}

LOOP each_crtp(const Inline *op, const float *__restrict in, float *__restrict out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = op->apply(in[i]);
}

LOOP each_fenced(const Fenced *op, const float *__restrict in, float *__restrict out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = op->apply(in[i]);
}

// One call on each object of a list: only the order of their classes differs.
extern "C" __attribute__((noinline, noclone)) float each_object(const Op *const *ops, int n)
{
    float x = 1;
    for (int i = 0; i < n; i++)
        x += ops[i]->apply(float(i & 7));
    return x;
}

static const Op *linear;
static const Final *sealed;
static const Op *sorted[OBJECTS], *shuffled[OBJECTS];
static volatile float sink;
static Inline inlined(1.5f, 0.25f);
static Fenced fenced(1.5f, 0.25f);
alignas(64) static float buffer[2 * N + 256];       // 16 KiB in all; in and out not a multiple of 4 KiB apart
static float *const in = buffer, *const out = buffer + N + 256;

static void run_virtual() { each_virtual(linear, in, out, N); }
static void run_final() { each_final(sealed, in, out, N); }
static void run_crtp() { each_crtp(&inlined, in, out, N); }
static void run_fenced() { each_fenced(&fenced, in, out, N); }
static void run_scalar() { each_scalar(&inlined, in, out, N); }

static void run_guess() { each_guess(sealed, in, out, N); }
static void run_sorted() { sink = each_object(sorted, OBJECTS); }
static void run_shuffled() { sink = each_object(shuffled, OBJECTS); }

static struct {
    const char *name;
    void (*run)();
    int calls, elements;            // so many calls that a sample takes a few milliseconds
    double seconds[ROUNDS];
} ways[] = {
    {"dynamic", run_virtual, CALLS, N, {}},
    {"fenced", run_fenced, CALLS, N, {}},
    {"scalar", run_scalar, CALLS * 4, N, {}},
    {"final", run_final, CALLS * 32, N, {}},
    {"crtp", run_crtp, CALLS * 32, N, {}},
    {"guess", run_guess, CALLS * 2, N, {}},
    {"sorted", run_sorted, 20, OBJECTS, {}},
    {"shuffled", run_shuffled, 20, OBJECTS, {}},
    {"again", run_virtual, CALLS, N, {}},
};

// What each_object must give: multiples of a quarter, so that the sum is exact.
static float expected(const Op *const *list)
{
    float x = 1;
    for (int i = 0; i < OBJECTS; i++) {
        float y = float(i & 7);
        x += list[i] == linear || list[i] == sealed ? y * 1.5f + 0.25f : y * y;
    }
    return x;
}

static double now()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !std::strcmp(argv[1], "sizes")) {
        std::printf("{\"plain\": %zu, \"crtp\": %zu, \"dynamic\": %zu}\n", sizeof(Plain),
                    sizeof(Inline), sizeof(Linear));
        return 0;
    }
    if (argc != 2 || std::strcmp(argv[1], "bench")) {
        std::fprintf(stderr, "usage: virtual bench|sizes\n");
        return 2;
    }
    linear = make_op(0, 1.5f, 0.25f);
    sealed = static_cast<const Final *>(make_op(1, 1.5f, 0.25f));
    for (int i = 0; i < N; i++)
        in[i] = float(i % 101);
    const Op *kinds[] = {linear, sealed, make_op(2, 0, 0)};
    unsigned state = 1;
    for (int i = 0; i < OBJECTS; i++)
        sorted[i] = shuffled[i] = kinds[i / (OBJECTS / 3 + 1)];
    for (int i = OBJECTS - 1; i > 0; i--) {
        state = state * 1664525u + 1013904223u;
        std::swap(shuffled[i], shuffled[(state >> 8) % unsigned(i + 1)]);
    }
    for (auto &w : ways) {          // the warm-up round: results checked, not timed
        std::memset(out, 0, N * sizeof *out);
        w.run();
        for (int i = 0; i < N && w.elements == N; i++)
            if (out[i] != in[i] * 1.5f + 0.25f) {
                std::fprintf(stderr, "virtual: %s: wrong result at %d\n", w.name, i);
                return 1;
            }
        const Op *const *list = w.run == run_sorted ? sorted : shuffled;
        if (w.elements == OBJECTS && sink != expected(list)) {
            std::fprintf(stderr, "virtual: %s: wrong sum\n", w.name);
            return 1;
        }
    }
    for (int r = 0; r < ROUNDS; r++)
        for (auto &w : ways) {
            double t = now();
            for (int c = 0; c < w.calls; c++)
                w.run();
            w.seconds[r] = (now() - t) / w.calls / w.elements;
        }
    if (!std::isfinite(out[N - 1]))
        return 1;
    const char *separator = "{";
    for (auto &w : ways) {
        std::printf("%s\"%s\": [", separator, w.name);
        for (int r = 0; r < ROUNDS; r++)
            std::printf("%s%.6e", r ? ", " : "", w.seconds[r]);
        std::printf("]");
        separator = ", ";
    }
    std::printf("}\n");
}
