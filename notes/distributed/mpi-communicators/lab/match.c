// A caller and a library that it calls use messages at the same time. Does each get its own?
//
//     mpiexec -n 2 ./match MODE
//
// same: the library uses the caller's communicator and the same tag; own: a duplicate of that
// communicator; bcast: the library calls MPI_Bcast on the caller's communicator, while the caller
// receives with MPI_ANY_TAG. Rank 1 prints, of 100 rounds, how often the caller and how often the
// library got the wrong number.

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { TAG = 5, CALLERS = 111, LIBRARYS = 222 };

// Rank 0 gives a number to rank 1.
static int library(MPI_Comm comm, int rank, int bcast) {
    int number = rank == 0 ? LIBRARYS : 0;
    if (bcast)
        MPI_Bcast(&number, 1, MPI_INT, 0, comm);
    else if (rank == 0)
        MPI_Send(&number, 1, MPI_INT, 1, TAG, comm);
    else
        MPI_Recv(&number, 1, MPI_INT, 0, TAG, comm, MPI_STATUS_IGNORE);
    return number;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc != 2) MPI_Abort(MPI_COMM_WORLD, 1);
    const int bcast = !strcmp(argv[1], "bcast");
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm comm = MPI_COMM_WORLD;
    if (!strcmp(argv[1], "own")) MPI_Comm_dup(MPI_COMM_WORLD, &comm);

    int wrong_caller = 0, wrong_library = 0;
    for (int i = 0; i < 100; i++) {
        MPI_Request request;
        int number = CALLERS;
        if (rank == 1) MPI_Irecv(&number, 1, MPI_INT, 0, bcast ? MPI_ANY_TAG : TAG, MPI_COMM_WORLD, &request);
        const int given = library(comm, rank, bcast);
        if (rank == 0) MPI_Send(&number, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD);
        if (rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
        wrong_caller += number != CALLERS;
        wrong_library += given != LIBRARYS;
    }
    if (rank == 1) printf("%d %d\n", wrong_caller, wrong_library);
    MPI_Finalize();
}
