/* Three jobs, each as a plain loop and with AVX2 intrinsics, compiled with the same flags. */
#include <immintrin.h>
#include "uses.h"

static const uint8_t structural[256] = {
    ['{'] = 1, ['}'] = 1, ['['] = 1, [']'] = 1, [':'] = 1, [','] = 1};

long count_table(const uint8_t *text, long n)
{
    long count = 0;
    for (long i = 0; i < n; i++)
        count += structural[text[i]];
    return count;
}

long count_compare(const uint8_t *text, long n)
{
    long count = 0;
    for (long i = 0; i < n; i++) {
        uint8_t c = text[i];
        count += (c == '{') | (c == '}') | (c == '[') | (c == ']') | (c == ':') | (c == ',');
    }
    return count;
}

/* Each bit stands for a high nibble: 1 for 2 (,), 2 for 3 (:), 4 for 5 ([ ]), 8 for 7 ({ }). A byte
   is structural where its two nibbles' entries share a bit. */
long count_shuffle(const uint8_t *text, long n)
{
    const __m256i low = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 12, 1, 12, 0, 0,
                                         0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 12, 1, 12, 0, 0);
    const __m256i high = _mm256_setr_epi8(0, 0, 1, 2, 0, 4, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0,
                                          0, 0, 1, 2, 0, 4, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i nibble = _mm256_set1_epi8(15), zero = _mm256_setzero_si256();
    long others = 0;
    for (long i = 0; i < n; i += 32) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(text + i));
        __m256i upper = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble);
        __m256i both = _mm256_and_si256(_mm256_shuffle_epi8(low, bytes), _mm256_shuffle_epi8(high, upper));
        unsigned none = (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(both, zero));
        others += __builtin_popcount(none);
    }
    return n - others;
}

long keep_branch(int32_t *out, const int32_t *value, long n, int32_t limit)
{
    long kept = 0;
    for (long i = 0; i < n; i++)
        if (value[i] >= limit)
            out[kept++] = value[i];
    return kept;
}

long keep_step(int32_t *out, const int32_t *value, long n, int32_t limit)
{
    long kept = 0;
    for (long i = 0; i < n; i++) {
        out[kept] = value[i];
        kept += value[i] >= limit;
    }
    return kept;
}

/* order[m] lists the lanes whose bits are set in m. */
static uint32_t order[256][8];

__attribute__((constructor)) static void fill_order(void)
{
    for (int mask = 0; mask < 256; mask++)
        for (int lane = 0, at = 0; lane < 8; lane++)
            if (mask >> lane & 1)
                order[mask][at++] = (uint32_t)lane;
}

long keep_permute(int32_t *out, const int32_t *value, long n, int32_t limit)
{
    const __m256i below = _mm256_set1_epi32(limit - 1);
    long kept = 0;
    for (long i = 0; i < n; i += 8) {
        __m256i values = _mm256_loadu_si256((const __m256i *)(value + i));
        int mask = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(values, below)));
        __m256i lanes = _mm256_loadu_si256((const __m256i *)order[mask]);
        _mm256_storeu_si256((__m256i *)(out + kept), _mm256_permutevar8x32_epi32(values, lanes));
        kept += __builtin_popcount((unsigned)mask);
    }
    return kept;
}

void add_plain(uint8_t *restrict out, const uint8_t *restrict a, const uint8_t *restrict b, long n)
{
    for (long i = 0; i < n; i++) {
        int sum = a[i] + b[i];
        out[i] = sum > 255 ? 255 : (uint8_t)sum;
    }
}

void add_saturated(uint8_t *restrict out, const uint8_t *restrict a, const uint8_t *restrict b, long n)
{
    for (long i = 0; i < n; i += 32) {
        __m256i left = _mm256_loadu_si256((const __m256i *)(a + i));
        __m256i right = _mm256_loadu_si256((const __m256i *)(b + i));
        _mm256_storeu_si256((__m256i *)(out + i), _mm256_adds_epu8(left, right));
    }
}
