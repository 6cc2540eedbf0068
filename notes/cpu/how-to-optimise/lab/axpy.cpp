// out = a * x + y in one pass, and a copy that says what a pass over memory costs.
#include <cstddef>

extern "C" void fused(std::size_t n, double a, const double *x, const double *y, double *out)
{
    for (std::size_t i = 0; i < n; i++)
        out[i] = a * x[i] + y[i];
}

extern "C" void copy(std::size_t n, const double *x, double *out)
{
    for (std::size_t i = 0; i < n; i++) {
        out[i] = x[i];
        asm volatile("" : "+r"(i)); // keeps it a loop: no call of memcpy, which stores past the cache
    }
}
