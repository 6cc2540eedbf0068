/* Checksums and encodings. */
#include <string.h>

#include "toolbox.h"

static const char digits[] = "0123456789abcdef";
static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

#define S1(i) (uint16_t)((i) * (i)), (uint16_t)(((i) + 1) * ((i) + 1))
#define S4(i) S1(i), S1((i) + 2)
#define S16(i) S4(i), S4((i) + 4), S4((i) + 8), S4((i) + 12)
#define S64(i) S16(i), S16((i) + 16), S16((i) + 32), S16((i) + 48)
#define S256(i) S64(i), S64((i) + 64), S64((i) + 128), S64((i) + 192)
#define S1024(i) S256(i), S256((i) + 256), S256((i) + 512), S256((i) + 768)
const uint16_t squares[4096] = {S1024(0), S1024(1024), S1024(2048), S1024(3072)};

uint32_t crc32_of(const void *data, size_t n)
{
    const unsigned char *p = data;
    uint32_t crc = ~0u;
    while (n--) {
        crc ^= *p++;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

uint64_t crc64_of(const void *data, size_t n)
{
    const unsigned char *p = data;
    uint64_t crc = ~0ull;
    while (n--) {
        crc ^= *p++;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xc96c5795d7870f42ull : 0);
    }
    return ~crc;
}

uint64_t fnv1a(const void *data, size_t n)
{
    const unsigned char *p = data;
    uint64_t h = 0xcbf29ce484222325ull;
    while (n--)
        h = (h ^ *p++) * 0x100000001b3ull;
    return h;
}

uint32_t adler32_of(const void *data, size_t n)
{
    const unsigned char *p = data;
    uint32_t a = 1, b = 0;
    while (n--) {
        a = (a + *p++) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

size_t hex_encode(const void *data, size_t n, char *out)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++) {
        out[2 * i] = digits[p[i] >> 4];
        out[2 * i + 1] = digits[p[i] & 15];
    }
    out[2 * n] = 0;
    return 2 * n;
}

size_t hex_decode(const char *text, size_t n, void *out)
{
    unsigned char *p = out;
    for (size_t i = 0; i + 1 < n; i += 2) {
        const char *high = memchr(digits, text[i], 16), *low = memchr(digits, text[i + 1], 16);
        if (!high || !low)
            return i / 2;
        *p++ = (unsigned char)((high - digits) << 4 | (low - digits));
    }
    return n / 2;
}

size_t base64_encode(const void *data, size_t n, char *out)
{
    const unsigned char *p = data;
    char *start = out;
    for (; n >= 3; n -= 3, p += 3) {
        *out++ = base64_digits[p[0] >> 2];
        *out++ = base64_digits[(p[0] & 3) << 4 | p[1] >> 4];
        *out++ = base64_digits[(p[1] & 15) << 2 | p[2] >> 6];
        *out++ = base64_digits[p[2] & 63];
    }
    if (n) {
        *out++ = base64_digits[p[0] >> 2];
        *out++ = base64_digits[(p[0] & 3) << 4 | (n > 1 ? p[1] >> 4 : 0)];
        *out++ = n > 1 ? base64_digits[(p[1] & 15) << 2] : '=';
        *out++ = '=';
    }
    *out = 0;
    return (size_t)(out - start);
}

size_t base64_decode(const char *text, size_t n, void *out)
{
    unsigned char *p = out;
    uint32_t bits = 0;
    int held = 0;
    for (size_t i = 0; i < n && text[i] != '='; i++) {
        const char *digit = memchr(base64_digits, text[i], 64);
        if (!digit)
            break;
        bits = bits << 6 | (uint32_t)(digit - base64_digits);
        held += 6;
        if (held >= 8) {
            held -= 8;
            *p++ = (unsigned char)(bits >> held);
        }
    }
    return (size_t)(p - (unsigned char *)out);
}

size_t run_length_encode(const void *data, size_t n, void *out)
{
    const unsigned char *p = data;
    unsigned char *o = out;
    for (size_t i = 0; i < n;) {
        size_t run = 1;
        while (i + run < n && run < 255 && p[i + run] == p[i])
            run++;
        *o++ = (unsigned char)run;
        *o++ = p[i];
        i += run;
    }
    return (size_t)(o - (unsigned char *)out);
}

size_t run_length_decode(const void *data, size_t n, void *out)
{
    const unsigned char *p = data;
    unsigned char *o = out;
    for (size_t i = 0; i + 1 < n; i += 2) {
        memset(o, p[i + 1], p[i]);
        o += p[i];
    }
    return (size_t)(o - (unsigned char *)out);
}

/* FIPS 180-4; the constants are computed, from the cube and square roots of the first primes. */
static uint32_t fraction_of_root(uint32_t prime, int cube)
{
    uint64_t low = 0, high = 20ull << 32;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        __extension__ typedef unsigned __int128 wide;
        wide power = (wide)middle * middle * (cube ? middle : 1);
        if (power <= (wide)prime << (cube ? 96 : 64))
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static uint32_t turn(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void sha256_block(uint32_t h[8], const uint32_t k[64], const unsigned char *p)
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 |
               (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] +
               (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(s, h, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t t = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) +
                     ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
        uint32_t u = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) +
                     ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t;
        s[0] = t + u;
    }
    for (int i = 0; i < 8; i++)
        h[i] += s[i];
}

void sha256(const void *data, size_t n, unsigned char digest[32])
{
    const unsigned char *p = data;
    unsigned char last[128] = {0};
    uint32_t h[8], k[64], prime = 1;
    for (int i = 0; i < 64; i++) {
        do
            prime++;
        while (!is_prime(prime));
        k[i] = fraction_of_root(prime, 1);
        if (i < 8)
            h[i] = fraction_of_root(prime, 0);
    }
    size_t left = n;
    for (; left >= 64; left -= 64, p += 64)
        sha256_block(h, k, p);
    memcpy(last, p, left);
    last[left] = 0x80;
    size_t blocks = left < 56 ? 1 : 2;
    for (int i = 0; i < 8; i++)
        last[64 * blocks - 1 - (size_t)i] = (unsigned char)((uint64_t)n * 8 >> 8 * i);
    for (size_t b = 0; b < blocks; b++)
        sha256_block(h, k, last + 64 * b);
    for (int i = 0; i < 32; i++)
        digest[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}
