"""A scheduler that decides, step by step, which tokens a server computes. A model, not a server.

It follows vLLM's order: requests that decode come first, then prompts that have begun, then waiting
ones in the order of arrival; if the cache is full, the youngest request is thrown out and computed
again later.
"""

from cost import step


class Request:
    """One request: when it came, its prompt and answer in tokens, and when each token came out."""

    def __init__(self, arrival, prompt, answer):
        self.arrival, self.prompt, self.answer = arrival, prompt, answer
        self.computed = 0  # tokens in the cache
        self.times = []  # when each token of the answer came out

    @classmethod
    def begun(cls, prompt, answer):
        """A request whose prompt is computed and whose first token came out at time 0."""
        request = cls(0, prompt, answer)
        request.computed, request.times = prompt, [0.0]
        return request

    @property
    def left(self):
        """Tokens to compute before the next one can be sampled: 1 while it decodes."""
        return self.prompt + len(self.times) - self.computed

    @property
    def decoding(self):
        return bool(self.times) and self.left == 1

    @property
    def first(self):
        """Time to the first token."""
        return self.times[0] - self.arrival

    @property
    def gaps(self):
        """Times between one token and the next."""
        return [after - before for before, after in zip(self.times, self.times[1:])]


class Server:
    """Runs requests to their end.

    ``budget`` is the number of tokens in a step (None: a whole prompt fits), ``separate`` says that a
    step is for prompts or for decodes and prompts go first, ``longest`` bounds the part of one prompt,
    and ``capacity`` is the number of tokens for which the cache has room.
    """

    def __init__(
        self, model, gpu, *, budget=None, separate=False, slots=256, longest=None, capacity=None
    ):
        self.model, self.gpu = model, gpu
        self.budget, self.separate, self.slots = budget or 10**9, separate, slots
        self.longest, self.capacity = longest or 10**9, capacity
        self.now = 0.0
        self.steps = self.preempted = self.again = self.most = 0

    def run(self, requests, running=()):
        """Run until every request has its answer, those that run already too."""
        coming = sorted(requests, key=lambda request: request.arrival)
        waiting, running = [], list(running)
        while coming or waiting or running:
            if not waiting and not running:
                self.now = max(self.now, coming[0].arrival)
            while coming and coming[0].arrival <= self.now:
                waiting.append(coming.pop(0))
            plan = self.plan(waiting, running)
            work = [(tokens, r.computed, int(tokens == r.left)) for r, tokens in plan]
            self.now += step(self.model, self.gpu, work)
            self.steps += 1
            self.most = max(self.most, len(running))
            for request, tokens in plan:
                request.computed += tokens
                if request.left == 0:
                    request.times.append(self.now)
            running[:] = [request for request in running if len(request.times) < request.answer]
        return self

    def plan(self, waiting, running):
        """The tokens that each request gets in the next step; moves requests between the lists."""
        thrown_out = self.make_room(waiting, running)
        decodes = [(request, 1) for request in running if request.decoding]
        left = self.budget - (0 if self.separate else len(decodes))
        prompts = []
        begun = [request for request in running if not request.decoding]
        while left > 0 and (begun or (not thrown_out and self.admits(waiting, running))):
            if not begun:
                begun.append(waiting.pop(0))
                running.append(begun[0])
            request = begun.pop(0)
            tokens = min(request.left, left, self.longest)
            prompts.append((request, tokens))
            left -= tokens
        return (prompts or decodes) if self.separate else decodes + prompts

    def admits(self, waiting, running):
        if not waiting or len(running) == self.slots:
            return False
        return not self.capacity or self.used(running) + waiting[0].left <= self.capacity

    def used(self, running):
        return sum(request.computed + request.left for request in running)

    def make_room(self, waiting, running):
        """Throw out the youngest requests until the tokens of all others fit; True if any was."""
        before = self.preempted
        while self.capacity and self.used(running) > self.capacity:
            youngest = running.pop()
            self.preempted += 1
            self.again += youngest.computed
            youngest.computed = 0
            waiting.insert(0, youngest)
        return self.preempted > before
