/* One MPI_Allreduce of so many 64-bit integers. Ends with 1 if the sum is wrong. */
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = argc > 1 ? atoi(argv[1]) : 1;
    int64_t *mine = malloc(count * sizeof *mine), *sum = malloc(count * sizeof *sum);
    for (int i = 0; i < count; i++)
        mine[i] = (int64_t)(rank + 1) * (i + 3);
    MPI_Allreduce(mine, sum, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    int wrong = 0;
    for (int i = 0; i < count; i++)
        wrong |= sum[i] != (int64_t)size * (size + 1) / 2 * (i + 3);
    MPI_Finalize();
    return wrong;
}
