// A program that needs libwhere only by way of libmiddle.
#include <stdio.h>

int middle(void);

int main(void) { printf("%d\n", middle()); }
