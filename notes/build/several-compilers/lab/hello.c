// A program that uses the C library only.
#include <stdio.h>

int main(void) { puts("it runs"); }
