// One tensor core instruction per kernel, written in PTX. The kernels are compiled and never run.

#include <cstdint>

// D = A B + D by one warp: A in four registers of each lane, B in two, D in four.
#define WARP(NAME, SHAPE, TYPES, D, LETTER)                                                       \
    __global__ void NAME(const uint32_t *a, const uint32_t *b, D *d) {                            \
        D d0 = 0, d1 = 0, d2 = 0, d3 = 0;                                                         \
        int t = threadIdx.x;                                                                      \
        asm volatile("mma.sync.aligned." SHAPE ".row.col." TYPES                                  \
                     " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"                        \
                     : "+" LETTER(d0), "+" LETTER(d1), "+" LETTER(d2), "+" LETTER(d3)             \
                     : "r"(a[t]), "r"(a[t + 32]), "r"(a[t + 64]), "r"(a[t + 96]), "r"(b[t]),      \
                       "r"(b[t + 32]));                                                           \
        d[t] = d0, d[t + 32] = d1, d[t + 64] = d2, d[t + 96] = d3;                                \
    }

// What a matrix product in float is without tensor cores: one multiply-add per step.
__global__ void plain(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k * n + i];
    c[i] = sum;
}

__global__ void half_k8(const uint32_t *a, const uint32_t *b, float *d) {
    float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
    int t = threadIdx.x;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
                 : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
                 : "r"(a[t]), "r"(a[t + 32]), "r"(b[t]));
    d[t] = d0, d[t + 32] = d1, d[t + 64] = d2, d[t + 96] = d3;
}

#if __CUDA_ARCH__ >= 800
WARP(half_k16, "m16n8k16", "f32.f16.f16.f32", float, "f")
WARP(bf16, "m16n8k16", "f32.bf16.bf16.f32", float, "f")
WARP(tf32, "m16n8k8", "f32.tf32.tf32.f32", float, "f")
WARP(int8, "m16n8k32", "s32.s8.s8.s32", int, "r")
WARP(int4_pairs, "m16n8k64", "s32.s4.s4.s32", int, "r")

__global__ void fp64(const double *a, const double *b, double *d) {
    double d0 = 0, d1 = 0;
    int t = threadIdx.x;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};"
                 : "+d"(d0), "+d"(d1)
                 : "d"(a[t]), "d"(b[t]));
    d[t] = d0, d[t + 32] = d1;
}

// Two of four values of A are zero, and `which` says which of them are not.
__global__ void sparse_half(const uint32_t *a, const uint32_t *b, float *d, uint32_t which) {
    float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
    int t = threadIdx.x;
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9,%10,%11},{%0,%1,%2,%3},%12,0x0;"
                 : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
                 : "r"(a[t]), "r"(a[t + 32]), "r"(a[t + 64]), "r"(a[t + 96]), "r"(b[t]),
                   "r"(b[t + 32]), "r"(b[t + 64]), "r"(b[t + 96]), "r"(which));
    d[t] = d0, d[t + 32] = d1, d[t + 64] = d2, d[t + 96] = d3;
}
#endif

#if __CUDA_ARCH__ >= 890
WARP(e4m3, "m16n8k32", "f32.e4m3.e4m3.f32", float, "f")
#endif

#ifdef __CUDA_ARCH_FEAT_SM120_ALL
WARP(e2m1, "m16n8k32.kind::f8f6f4", "f32.e2m1.e2m1.f32", float, "f")

// The same format with a scale for every 32 values: twice the depth in the same registers.
__global__ void mxfp4(const uint32_t *a, const uint32_t *b, float *d, uint32_t scales_a, uint32_t scales_b) {
    float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
    int t = threadIdx.x;
    asm volatile("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0 "
                 "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3},%10,{0,0},%11,{0,0};"
                 : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
                 : "r"(a[t]), "r"(a[t + 32]), "r"(a[t + 64]), "r"(a[t + 96]), "r"(b[t]),
                   "r"(b[t + 32]), "r"(scales_a), "r"(scales_b));
    d[t] = d0, d[t + 32] = d1, d[t + 64] = d2, d[t + 96] = d3;
}
#endif

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
// Hopper: four warps together, A and B in shared memory, named by descriptors.
#define GROUP(NAME, SHAPE, TYPES, TRANSPOSED)                                                     \
    __global__ void NAME(uint64_t a, uint64_t b, float *d) {                                      \
        float d0 = 0, d1 = 0, d2 = 0, d3 = 0;                                                     \
        asm volatile("wgmma.fence.sync.aligned;\n"                                                \
                     "wgmma.mma_async.sync.aligned." SHAPE "." TYPES                              \
                     " {%0,%1,%2,%3},%4,%5,1,1,1" TRANSPOSED ";\n"                                \
                     "wgmma.commit_group.sync.aligned;\n"                                         \
                     "wgmma.wait_group.sync.aligned 0;"                                           \
                     : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)                                     \
                     : "l"(a), "l"(b));                                                           \
        int t = threadIdx.x;                                                                      \
        d[t] = d0, d[t + 128] = d1, d[t + 256] = d2, d[t + 384] = d3;                             \
    }
GROUP(group_half, "m64n8k16", "f32.f16.f16", ",0,0")
GROUP(group_bf16, "m64n8k16", "f32.bf16.bf16", ",0,0")
GROUP(group_tf32, "m64n8k8", "f32.tf32.tf32", "")
GROUP(group_e4m3, "m64n8k32", "f32.e4m3.e4m3", "")
#endif

#if defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM103_ALL)
// Blackwell of data centres: one thread starts it, D lies in tensor memory.
#define FIFTH(NAME, KIND)                                                                         \
    __global__ void NAME(uint64_t a, uint64_t b, uint32_t d, uint32_t shape) {                    \
        asm volatile("{.reg .pred p; setp.ne.b32 p,1,0;\n"                                        \
                     "tcgen05.mma.cta_group::1.kind::" KIND " [%0],%1,%2,%3,p;}" ::"r"(d),        \
                     "l"(a), "l"(b), "r"(shape));                                                 \
    }
#define FIFTH_SCALED(NAME, KIND)                                                                  \
    __global__ void NAME(uint64_t a, uint64_t b, uint32_t d, uint32_t shape, uint32_t scales_a,   \
                         uint32_t scales_b) {                                                     \
        asm volatile("{.reg .pred p; setp.ne.b32 p,1,0;\n"                                        \
                     "tcgen05.mma.cta_group::1.kind::" KIND ".block_scale"                        \
                     " [%0],%1,%2,%3,[%4],[%5],p;}" ::"r"(d),                                     \
                     "l"(a), "l"(b), "r"(shape), "r"(scales_a), "r"(scales_b));                   \
    }
FIFTH(fifth_half, "f16")
FIFTH(fifth_tf32, "tf32")
FIFTH(fifth_fp8, "f8f6f4")
FIFTH_SCALED(fifth_mxfp8, "mxf8f6f4")
FIFTH_SCALED(fifth_mxfp4, "mxf4")
#endif
