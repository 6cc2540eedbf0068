/* A small library of the usual kind: the program needs a few of its functions. */
#pragma once
#include <stddef.h>
#include <stdint.h>

uint32_t crc32_of(const void *data, size_t n);                 /* needed */
size_t hex_encode(const void *data, size_t n, char *out);      /* needed */
float dot(const float *a, const float *b, int n);              /* needed */

uint64_t crc64_of(const void *data, size_t n);                 /* none of these is */
uint64_t fnv1a(const void *data, size_t n);
uint32_t adler32_of(const void *data, size_t n);
size_t hex_decode(const char *text, size_t n, void *out);
size_t base64_encode(const void *data, size_t n, char *out);
size_t base64_decode(const char *text, size_t n, void *out);
size_t run_length_encode(const void *data, size_t n, void *out);
size_t run_length_decode(const void *data, size_t n, void *out);
void sha256(const void *data, size_t n, unsigned char digest[32]);
void sort_floats(float *a, int n);
void matrix_vector(const float *m, const float *x, float *y, int rows, int columns);
void matrix_transpose(const float *m, float *t, int rows, int columns);
void moving_average(const float *a, float *out, int n, int window);
float variance(const float *a, int n);
int edit_distance(const char *a, const char *b);
int parse_number(const char *text, double *value);
int is_prime(uint64_t n);

extern const uint16_t squares[4096];                           /* a table that nobody reads */
