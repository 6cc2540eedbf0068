// The last rank makes its call late. Which ranks wait for it?
//
//     mpiexec -n 8 ./late KIND FILE FREE
//
// FILE is shared memory of all ranks. The last rank sets a flag in it just before its call; each other
// rank looks at the flag when its own call has returned. Rank 0 prints how many ranks called in time, and
// how many of these had to wait. The last rank waits a second, and then, at most 20 seconds, until FREE
// calls have returned: on a busy machine a call that need not wait may be slow all the same.

#include <fcntl.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 1);
    const char *kind = argv[1];
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int last = rank == ranks - 1, upper = rank >= ranks / 2;

    int file = open(argv[2], O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, 4096)) MPI_Abort(MPI_COMM_WORLD, 1);
    atomic_int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    atomic_int *flag = &shared[0], *returned = &shared[1];

    MPI_Group all, lower, mine;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    int low[1][3] = {{0, ranks / 2 - 1, 1}}, high[1][3] = {{ranks / 2, ranks - 1, 1}};
    MPI_Group_range_incl(all, 1, low, &lower);
    MPI_Group_range_incl(all, 1, upper ? high : low, &mine);
    MPI_Comm made = MPI_COMM_NULL, copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Barrier(MPI_COMM_WORLD);

    if (last) {
        usleep(1000000);
        for (int i = 0; i < 200 && *returned < atoi(argv[3]); i++) usleep(100000);
        *flag = 1;
    }
    int called = 1;
    MPI_Request request = MPI_REQUEST_NULL;
    if (!strcmp(kind, "dup"))
        MPI_Comm_dup(MPI_COMM_WORLD, &made);
    else if (!strcmp(kind, "idup"))  // the call alone, without the wait
        MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
    else if (!strcmp(kind, "split"))  // the last rank wants to be in none
        MPI_Comm_split(MPI_COMM_WORLD, last ? MPI_UNDEFINED : 0, rank, &made);
    else if (!strcmp(kind, "shared"))
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
    else if (!strcmp(kind, "create"))  // the last rank is no member
        MPI_Comm_create(MPI_COMM_WORLD, lower, &made);
    else if (!strcmp(kind, "create_group")) {  // the upper half does not call
        called = !upper;
        if (called) MPI_Comm_create_group(MPI_COMM_WORLD, lower, 7, &made);
    } else if (!strcmp(kind, "two_groups"))  // each half its own; the last rank is in the upper one
        MPI_Comm_create_group(MPI_COMM_WORLD, mine, 7, &made);
    else if (!strcmp(kind, "free"))
        MPI_Comm_free(&copy);
    else
        MPI_Abort(MPI_COMM_WORLD, 1);
    const int waited = called && !last && *flag;
    if (called) ++*returned;
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    int counts[2] = {called && !last, waited}, sum[2];
    MPI_Reduce(counts, sum, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d %d\n", sum[0], sum[1]);
    MPI_Finalize();
}
