import tracemalloc

seen = {}


def handle(request):
    seen[request] = request.upper() * 3


tracemalloc.start()
before = tracemalloc.take_snapshot()
for i in range(50_000):
    handle(f"/item/{i}")
for found in tracemalloc.take_snapshot().compare_to(before, "lineno")[:2]:
    print("line", found.traceback[0].lineno, found.size_diff, "B,", found.count_diff, "blocks")
