// The narrow formats as NVIDIA's own headers round to them: a host program, no GPU.
//
//     oracle    a line for each format: its name, then the code of every TF32 value in hexadecimal

#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

static float value(uint32_t tf32) {  // its 19 bits are the upper ones of a float
    uint32_t bits = tf32 << 13;
    float result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

template <typename Convert>
static void print(const char *name, Convert convert) {
    printf("%s ", name);
    for (uint32_t tf32 = 0; tf32 < 1u << 19; tf32++)
        printf("%02x", static_cast<unsigned>(convert(value(tf32))));
    printf("\n");
}

int main() {
    print("E4M3", [](float x) { return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3); });
    print("E5M2", [](float x) { return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2); });
    print("E3M2", [](float x) { return __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundNearest); });
    print("E2M3", [](float x) { return __nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundNearest); });
    print("E2M1", [](float x) { return __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest); });
}
