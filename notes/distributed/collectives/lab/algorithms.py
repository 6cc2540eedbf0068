"""All-reduce in five ways, each a function of a Rank and its vector, which is changed in place.

They are written for being read: a message is a slice of the vector.
"""


def add(x, low, other):
    for i, value in enumerate(other):
        x[low + i] += value


def star(rank, x):
    """All send to rank 0, which adds and sends the sum to all."""
    if rank.number:
        rank.send(0, x)
        x[:] = rank.receive(0, x.typecode)
        return
    for other in range(1, rank.size):
        add(x, 0, rank.receive(other, x.typecode))
    for other in range(1, rank.size):
        rank.send(other, x)


def ring(rank, x, left_out=0):
    """Reduce-scatter, then all-gather: in each step a part goes to the next rank.

    ``left_out`` steps at the end are not done.
    """
    p, r, part = rank.size, rank.number, len(x) // rank.size
    for gather in (0, 1):
        for step in range(p - 1 - gather * left_out):
            mine = (r - step + gather) % p * part
            theirs = (r - step - 1 + gather) % p * part
            got = rank.exchange((r + 1) % p, x[mine : mine + part], (r - 1) % p)
            if gather:
                x[theirs : theirs + part] = got
            else:
                add(x, theirs, got)


def reduce_tree(rank, x):
    """Binomial tree: a rank adds what comes from r + 1, r + 2, r + 4 and so on, and sends once."""
    mask = 1
    while mask < rank.size:
        if rank.number & mask:
            rank.send(rank.number - mask, x)
            return
        if rank.number + mask < rank.size:
            add(x, 0, rank.receive(rank.number + mask, x.typecode))
        mask *= 2


def broadcast_tree(rank, x):
    """The same tree downwards, the largest branch first."""
    mask = 1
    while mask < rank.size and not rank.number & mask:
        mask *= 2
    if rank.number:
        x[:] = rank.receive(rank.number - mask, x.typecode)
    while mask > 1:
        mask //= 2
        if rank.number + mask < rank.size:
            rank.send(rank.number + mask, x)


def tree(rank, x):
    reduce_tree(rank, x)
    broadcast_tree(rank, x)


def folded(rank, x, steps):
    """Does ``steps(number, count, real)`` on a power of two of ranks.

    If the number of ranks is none, the first even ranks give their vector to the rank after them,
    wait, and get the sum in the end. ``real`` turns a new number into that of the rank.
    """
    count = 1 << (rank.size.bit_length() - 1)
    extra = rank.size - count
    r = rank.number
    if r < 2 * extra:
        if r % 2 == 0:
            rank.send(r + 1, x)
            x[:] = rank.receive(r + 1, x.typecode)
            return
        add(x, 0, rank.receive(r - 1, x.typecode))
    steps(r // 2 if r < 2 * extra else r - extra, count, lambda new: 2 * new + 1 if new < extra else new + extra)
    if r < 2 * extra:
        rank.send(r - 1, x)


def doubling(rank, x):
    """Recursive doubling: whole vectors with the rank at distance 1, 2, 4 and so on."""

    def steps(number, count, real):
        distance = 1
        while distance < count:
            partner = real(number ^ distance)
            add(x, 0, rank.exchange(partner, x, partner))
            distance *= 2

    folded(rank, x, steps)


def halving(rank, x, far_first=False):
    """Reduce-scatter by recursive halving, then all-gather by recursive doubling on the way back."""

    def steps(number, count, real):
        low, length, done = 0, len(x), []
        distances = [1 << i for i in range(count.bit_length() - 1)]
        for distance in reversed(distances) if far_first else distances:
            partner, length = real(number ^ distance), length // 2
            keep, give = (low, low + length) if not number & distance else (low + length, low)
            add(x, keep, rank.exchange(partner, x[give : give + length], partner))
            done.append((partner, keep, give, length))
            low = keep
        for partner, keep, give, length in reversed(done):
            x[give : give + length] = rank.exchange(partner, x[keep : keep + length], partner)

    folded(rank, x, steps)


def halving_far(rank, x):
    halving(rank, x, far_first=True)


ALL = {"star": star, "ring": ring, "tree": tree, "doubling": doubling, "halving": halving}
