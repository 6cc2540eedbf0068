#include <stdint.h>

/* How many of n bytes are one of { } [ ] : , */
long count_table(const uint8_t *text, long n);
long count_compare(const uint8_t *text, long n);
long count_shuffle(const uint8_t *text, long n); /* n a multiple of 32 */

/* Copies the values of at least limit; returns how many. out has room for n + 8. */
long keep_branch(int32_t *out, const int32_t *value, long n, int32_t limit);
long keep_step(int32_t *out, const int32_t *value, long n, int32_t limit);
long keep_permute(int32_t *out, const int32_t *value, long n, int32_t limit); /* n a multiple of 8 */

/* Adds bytes, at most 255. */
void add_plain(uint8_t *restrict out, const uint8_t *restrict a, const uint8_t *restrict b, long n);
void add_saturated(uint8_t *restrict out, const uint8_t *restrict a, const uint8_t *restrict b, long n); /* n a multiple of 32 */

/* Adds floats: the compiler's own vectors of 32 and of 64 bytes. */
void add_256(float *restrict out, const float *restrict a, const float *restrict b, long n);
void add_512(float *restrict out, const float *restrict a, const float *restrict b, long n);
