/* Asks the C++ library; the answer is 3. */
#include <stdio.h>

int most_frequent(const char *text);

int main(void)
{
    printf("%d\n", most_frequent("the cat, the dog and the bird"));
    return 0;
}
