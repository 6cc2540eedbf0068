/* The program: it uses three functions of the toolbox. */
#include <stdio.h>

#include "toolbox.h"

int main(void)
{
    static const float a[] = {1, 2, 3}, b[] = {4, 5, 6};
    char text[16];
    uint32_t crc = crc32_of("123456789", 9);
    hex_encode(&crc, sizeof crc, text);
    printf("%s %g\n", text, dot(a, b, 3));
    return crc == 0xcbf43926 && dot(a, b, 3) == 32 ? 0 : 1;
}
