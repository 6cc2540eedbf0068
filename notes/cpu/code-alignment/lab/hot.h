#include <stddef.h>
#include <stdint.h>

size_t words(const unsigned char *text, size_t length);
uint32_t hash(const unsigned char *text, size_t length);
