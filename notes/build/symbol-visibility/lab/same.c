/* Prints 1 if program and library have the same address for a function of the library. */
#include <stdio.h>

int answer(void);
void *address(void);

int main(void)
{
    printf("%d\n", (void *)answer == address());
    return 0;
}
