/* The sum of an array with 1, 2, 4, 8 and 32 accumulators. The comments that llvm-mca reads mark
   the body of each loop; they are no instructions. */
#include "sum.h"

#define SUM(name, ways, unrolled) \
    double name(const double *a, long n) \
    { \
        double part[ways] = {0}, sum = 0; \
        for (long i = 0; i < n; i += (unrolled)) { \
            __asm__ volatile("# LLVM-MCA-BEGIN " #name); \
            _Pragma("GCC unroll 32") \
            for (int j = 0; j < (unrolled); j++) \
                part[j % (ways)] += a[i + j]; \
            __asm__ volatile("# LLVM-MCA-END " #name); \
        } \
        _Pragma("GCC unroll 32") \
        for (int j = 0; j < (ways); j++) \
            sum += part[j]; \
        return sum; \
    }

SUM(sum_1, 1, 8)
SUM(sum_2, 2, 8)
SUM(sum_4, 4, 8)
SUM(sum_8, 8, 8)
SUM(sum_32, 32, 32)
