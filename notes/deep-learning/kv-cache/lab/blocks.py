"""A pool of cache blocks with a prefix cache: a small model of vLLM's, which engine.py runs beside it.

A block is found again by a hash of its tokens, of the hash of the block before it, and of what else
must agree (an adapter, a salt). Only full blocks have a hash. Of free blocks those without a hash
are taken first, then the one that was freed first; a request frees its last block first. A request
always computes at least one token of its prompt, or there would be nothing to sample from.
"""

from collections import OrderedDict


class Pool:
    def __init__(self, blocks, size=16, last_first=True):
        self.blocks, self.size, self.last_first = blocks, size, last_first
        self.cached = OrderedDict()  # hashes of free or used blocks, the next victim first
        self.queried = self.hits = self.evicted = 0

    def hashes(self, tokens, extra=None):
        """The hash of each full block of ``tokens``; the first depends on ``extra`` too."""
        parent, result = extra, []
        for start in range(0, len(tokens) - self.size + 1, self.size):
            parent = hash((parent, tuple(tokens[start : start + self.size])))
            result.append(parent)
        return result

    def serve(self, prompt, answer=(), extra=None):
        """Run one request alone from its prompt to its end. Returns the tokens it found cached.

        The last token of the answer is never computed on, so it is not in the cache.
        """
        keys = self.hashes(prompt, extra)
        found = 0
        for key in keys[: (len(prompt) - 1) // self.size]:
            if key not in self.cached:
                break
            found += 1
        computed = tuple(prompt) + tuple(answer[:-1])
        everything = self.hashes(computed, extra)
        mine = set(everything[:found])
        needed = -(-len(computed) // self.size) - found
        while len(self.cached) + needed > self.blocks:
            victim = next(key for key in self.cached if key not in mine)
            del self.cached[victim]
            self.evicted += 1
        for key in reversed(everything) if self.last_first else everything:
            self.cached.pop(key, None)
            self.cached[key] = None
        self.queried += len(prompt)
        self.hits += found * self.size
        return found * self.size

    @property
    def rate(self):
        return self.hits / self.queried
