// What a new communicator has of the old one.
//
//     mpiexec -n 2 ./inherit
//
// Rank 0 prints for MPI_Comm_dup, MPI_Comm_split, MPI_Comm_create and MPI_Comm_create_group: whether an
// attribute came along, whether the error handler did, and what MPI_Comm_compare says.

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, key, there;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm old, made[4];
    MPI_Comm_dup(MPI_COMM_WORLD, &old);
    static int anything;
    void *value;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(old, key, &anything);
    MPI_Comm_set_errhandler(old, MPI_ERRORS_RETURN);
    MPI_Group group;
    MPI_Comm_group(old, &group);

    MPI_Comm_dup(old, &made[0]);
    MPI_Comm_split(old, 0, rank, &made[1]);
    MPI_Comm_create(old, group, &made[2]);
    MPI_Comm_create_group(old, group, 7, &made[3]);
    for (int i = 0; i < 4; i++) {
        int same;
        MPI_Errhandler handler;
        MPI_Comm_get_attr(made[i], key, &value, &there);
        MPI_Comm_get_errhandler(made[i], &handler);
        MPI_Comm_compare(old, made[i], &same);
        if (rank == 0) printf("%d %d %d\n", there, handler == MPI_ERRORS_RETURN, same == MPI_CONGRUENT);
    }
    MPI_Finalize();
}
