// One call of a library: which kernels does it bring along?
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

void sort(int *first, int *last) { thrust::sort(thrust::device, first, last); }
