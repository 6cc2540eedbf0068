// Prints the folder that the library came from.
#include <stdio.h>

int where(void);

int main(void) { printf("%d\n", where()); }
