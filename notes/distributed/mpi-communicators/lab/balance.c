// Counts communicators that are made and freed, between a program and MPI. Load it before the program:
//
//     mpicc -O2 -shared -fPIC -o balance.so balance.c
//     LD_PRELOAD=./balance.so mpiexec -n 2 ./program
//
// Every rank says at MPI_Finalize what it has not freed. Not counted here: topologies, MPI_Comm_idup,
// intercommunicators, and calls from Fortran.

#include <mpi.h>
#include <stdio.h>

enum { DUP, SPLIT, SPLIT_TYPE, CREATE, CREATE_GROUP, KINDS };
static const char *const names[KINDS] = {"dup", "split", "split_type", "create", "create_group"};
static long made[KINDS], freed;

static int count(int kind, int error, const MPI_Comm *comm) {
    if (error == MPI_SUCCESS && *comm != MPI_COMM_NULL) made[kind]++;
    return error;
}

int MPI_Comm_dup(MPI_Comm old, MPI_Comm *comm) { return count(DUP, PMPI_Comm_dup(old, comm), comm); }

int MPI_Comm_split(MPI_Comm old, int color, int key, MPI_Comm *comm) {
    return count(SPLIT, PMPI_Comm_split(old, color, key, comm), comm);
}

int MPI_Comm_split_type(MPI_Comm old, int type, int key, MPI_Info info, MPI_Comm *comm) {
    return count(SPLIT_TYPE, PMPI_Comm_split_type(old, type, key, info, comm), comm);
}

int MPI_Comm_create(MPI_Comm old, MPI_Group group, MPI_Comm *comm) {
    return count(CREATE, PMPI_Comm_create(old, group, comm), comm);
}

int MPI_Comm_create_group(MPI_Comm old, MPI_Group group, int tag, MPI_Comm *comm) {
    return count(CREATE_GROUP, PMPI_Comm_create_group(old, group, tag, comm), comm);
}

int MPI_Comm_free(MPI_Comm *comm) {
    freed++;
    return PMPI_Comm_free(comm);
}

int MPI_Finalize(void) {
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("rank %d freed %ld, made", rank, freed);
    for (int i = 0; i < KINDS; i++)
        if (made[i]) printf(" %ld by %s", made[i], names[i]);
    printf("\n");
    return PMPI_Finalize();
}
