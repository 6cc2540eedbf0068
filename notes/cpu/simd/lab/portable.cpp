// The larger of each pair, twice without naming an instruction set: the compiler's own vector type
// and the type of the Parallelism TS. The width of the second follows the flags.
#include <experimental/simd>

namespace stdx = std::experimental;
using lanes [[gnu::vector_size(32)]] = float;

extern "C" void larger_vector(lanes *out, const lanes *a, const lanes *b)
{
    *out = *a > *b ? *a : *b;
}

extern "C" void larger_simd(float *out, const float *a, const float *b)
{
    stdx::native_simd<float> left(a, stdx::element_aligned), right(b, stdx::element_aligned);
    max(left, right).copy_to(out, stdx::element_aligned);
}

extern "C" int lanes_of_simd()
{
    return stdx::native_simd<float>::size();
}
