// Adds eight numbers by an instruction of AVX2 without asking whether the processor has it, as a program
// compiled for another machine does.
#include <immintrin.h>
#include <stdio.h>

int main(void)
{
    volatile int eight[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    __m256i numbers = _mm256_loadu_si256((const __m256i *)eight);
    numbers = _mm256_add_epi32(numbers, numbers);
    printf("AVX2 works: %d\n", _mm256_extract_epi32(numbers, 7));
}
