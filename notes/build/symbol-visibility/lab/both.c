/* Prints which version each of the two shared libraries gets. */
#include <stdio.h>

int first(void);
int second(void);

int main(void)
{
    printf("%d %d\n", first(), second());
    return 0;
}
