// How many CPUs the C++ library and OpenMP believe in.
#include <cstdio>
#include <omp.h>
#include <thread>

int main()
{
    std::printf("%u %d\n", std::thread::hardware_concurrency(), omp_get_max_threads());
}
