/* The same copy and the same fill with ordinary and with non-temporal stores of 16 bytes. */
#include <emmintrin.h>
#include <stddef.h>
#include <stdint.h>

#define KERNEL __attribute__((noinline, noclone, unused))

static KERNEL void copy_plain(char *to, const char *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += 16)
        _mm_store_si128((__m128i *)(to + at), _mm_load_si128((const __m128i *)(from + at)));
}

static KERNEL void copy_stream(char *to, const char *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += 16)
        _mm_stream_si128((__m128i *)(to + at), _mm_load_si128((const __m128i *)(from + at)));
    _mm_sfence();
}

static KERNEL void fill_plain(char *to, size_t bytes)
{
    const __m128i ones = _mm_set1_epi8(1);
    for (size_t at = 0; at < bytes; at += 16)
        _mm_store_si128((__m128i *)(to + at), ones);
}

static KERNEL void fill_stream(char *to, size_t bytes)
{
    const __m128i ones = _mm_set1_epi8(1);
    for (size_t at = 0; at < bytes; at += 16)
        _mm_stream_si128((__m128i *)(to + at), ones);
    _mm_sfence();
}

/* One read of each line. */
static KERNEL uint64_t sum(const char *from, size_t bytes)
{
    uint64_t total = 0;
    for (size_t at = 0; at < bytes; at += 64)
        total += *(const uint64_t *)(from + at);
    return total;
}
