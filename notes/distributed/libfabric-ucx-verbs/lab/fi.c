/* Two processes that talk by libfabric alone, without MPI.
 *
 * ./fi offers             which providers libfabric offers for which hints, in its order
 * ./fi send SIZE COUNT    COUNT messages of SIZE bytes there and as many back, with the first provider offered
 *
 * The variable FI_PROVIDER filters what is offered.
 */
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_tagged.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static struct fi_info *offers(enum fi_ep_type type, uint64_t caps)
{
    struct fi_info *hints = fi_allocinfo(), *found = NULL;
    hints->ep_attr->type = type;
    hints->caps = caps;
    hints->mode = ~0ull; /* the caller would do whatever a provider asks of it, as fi_info says too */
    hints->domain_attr->mode = ~0ull;
    hints->domain_attr->mr_mode = ~(FI_MR_BASIC | FI_MR_SCALABLE);
    int error = fi_getinfo(FI_VERSION(1, 17), NULL, NULL, 0, hints, &found);
    fi_freeinfo(hints);
    return error ? NULL : found;
}

static void list(void)
{
    struct { const char *name; enum fi_ep_type type; } types[] = {
        {"FI_EP_MSG", FI_EP_MSG}, {"FI_EP_RDM", FI_EP_RDM}, {"FI_EP_DGRAM", FI_EP_DGRAM}};
    struct { const char *name; uint64_t bit; } caps[] = {
        {"FI_MSG", FI_MSG}, {"FI_TAGGED", FI_TAGGED}, {"FI_RMA", FI_RMA}, {"FI_ATOMIC", FI_ATOMIC}};
    for (int t = 0; t < 3; t++)
        for (int c = 0; c < 4; c++) {
            char last[99] = "";
            printf("%s %s", types[t].name, caps[c].name);
            /* The same provider appears once for each interface and address. */
            for (struct fi_info *i = offers(types[t].type, caps[c].bit); i; i = i->next)
                if (strcmp(last, i->fabric_attr->prov_name)) {
                    snprintf(last, sizeof last, "%s", i->fabric_attr->prov_name);
                    printf(" %s", last);
                }
            printf("\n");
        }
}

static struct fid_cq *cq;

static void stop(const char *what, long error)
{
    if (error >= 0)
        return;
    fprintf(stderr, "%s: %s\n", what, fi_strerror(-error));
    exit(1);
}

static void finish(void)
{
    struct fi_cq_tagged_entry entry;
    ssize_t n;
    while ((n = fi_cq_read(cq, &entry, 1)) == -FI_EAGAIN)
        ;
    stop("fi_cq_read", n);
}

/* The other process died, so no message will come. */
static void orphaned(int signal)
{
    (void)signal;
    _exit(1);
}

static void transfer(int fd, void *data, size_t size, int writing)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = writing ? write(fd, (char *)data + done, size - done) : read(fd, (char *)data + done, size - done);
        if (n <= 0)
            exit(1);
        done += n;
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "offers"))
        return list(), 0;
    size_t size = argc > 2 ? strtoul(argv[2], NULL, 10) : 8;
    long count = argc > 3 ? atol(argv[3]) : 1;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return 1;
    signal(SIGCHLD, orphaned);
    pid_t child = fork();
    int rank = child == 0, fd = ends[rank];

    struct fi_info *hints = fi_allocinfo(), *info;
    hints->ep_attr->type = FI_EP_RDM;
    hints->caps = FI_TAGGED;
    hints->mode = FI_CONTEXT;
    stop("fi_getinfo", fi_getinfo(FI_VERSION(1, 17), NULL, NULL, 0, hints, &info));
    if (!rank)
        printf("%s\n", info->fabric_attr->prov_name);

    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_ep *ep;
    struct fid_av *av;
    struct fi_cq_attr completions = {.format = FI_CQ_FORMAT_TAGGED, .size = 64};
    struct fi_av_attr table = {.type = FI_AV_UNSPEC};
    stop("fi_fabric", fi_fabric(info->fabric_attr, &fabric, NULL));
    stop("fi_domain", fi_domain(fabric, info, &domain, NULL));
    stop("fi_cq_open", fi_cq_open(domain, &completions, &cq, NULL));
    stop("fi_av_open", fi_av_open(domain, &table, &av, NULL));
    stop("fi_endpoint", fi_endpoint(domain, info, &ep, NULL));
    stop("fi_ep_bind", fi_ep_bind(ep, &av->fid, 0));
    stop("fi_ep_bind", fi_ep_bind(ep, &cq->fid, FI_TRANSMIT | FI_RECV));
    stop("fi_enable", fi_enable(ep));

    char mine[512], theirs[512];
    size_t length = sizeof mine;
    fi_addr_t peer;
    stop("fi_getname", fi_getname(&ep->fid, mine, &length));
    transfer(fd, mine, sizeof mine, 1);
    transfer(fd, theirs, sizeof theirs, 0);
    if (fi_av_insert(av, theirs, 1, &peer, 0, NULL) != 1)
        return 1;

    char *out = malloc(size + 1), *in = malloc(size + 1);
    memset(out, 1, size + 1);
    memset(in, 2, size + 1);
    struct fi_context context[2];
    for (long i = 0; i < count; i++)
        for (int turn = 0; turn < 2; turn++) {
            ssize_t n;
            do {
                n = turn == rank ? fi_tsend(ep, out, size, NULL, peer, 7, &context[0])
                                 : fi_trecv(ep, in, size, NULL, FI_ADDR_UNSPEC, 7, 0, &context[1]);
                if (n == -FI_EAGAIN)
                    fi_cq_read(cq, NULL, 0); /* not connected yet: let the provider work */
            } while (n == -FI_EAGAIN);
            stop("fi_tsend or fi_trecv", n);
            finish();
        }
    if (memcmp(in, out, size))
        return fprintf(stderr, "wrong bytes\n"), 1;
    fflush(stdout);
    signal(SIGCHLD, SIG_DFL);
    transfer(fd, &rank, sizeof rank, 1);
    transfer(fd, &child, sizeof rank, 0);
    int status = 0;
    if (!rank)
        waitpid(-1, &status, 0);
    _exit(status != 0);
}
