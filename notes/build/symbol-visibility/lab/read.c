/* Sets the variable of the library to 5 and prints what it then holds. */
#include <stdio.h>

extern int level;
void set_level(int value);

int main(void)
{
    set_level(5);
    printf("%d\n", level);
    return 0;
}
