"""Notes and queries on which the tests of the search agree, and a form of their index."""

from __future__ import annotations

from perfnotes.search.codec import script, unscript

NOTES = {
    "index.md": "# Home\n\nWhere everything begins.\n",
    "memory/pinned.md": "---\ntitle: Pinned memory\naliases: [page-locked memory]\n---\n\n"
    "Call `cudaMallocHost` for it.\n\n## Copies that do not wait\n\n"
    "`cudaMemcpyAsync` blocks unless the memory is pinned.\n",
    "memory/alignment.md": "# 内存对齐\n\n结构体的内存对齐影响性能。\n\n"
    "## 缓存行\n\n避免伪共享。\n",
    "memory/paging.md": "# Paging\n\nPages of memory, huge or small; nothing here is locked.\n",
    "loops/vectorization.md": "# Vectorization\n\nThe compiler vectorizes loops with "
    "`-ffast-math` and `#pragma omp simd`.\n",
    "loops/io.md": "# Reading quickly\n\n`std::ios::sync_with_stdio(false)` helps in C++17.\n",
    "loops/false-sharing.md": "---\ntitle: False sharing\ntags: [cache, threads]\n---\n\n"
    "Two threads write to one cache line.\n",
    "ch03/内存 管理/README.md": "# 内存管理\n\n"
    "操作系统用分页与分段管理内存，每个进程有自己的地址空间。\n",
}
HOSTILE = [
    "", " ", "a", "x", "的", "?", "-", '"', '""', '"unpaired', "(", "[a-z]*", "(a+)+$", "\\", "^$",
    "<script>alert(1)</script>", "<b>memory</b>", "&amp;", "😀", "👨‍👩‍👧", "مرحبا", "שלום עולם",
    "\u202ememory", "\u0000", "memory\u0000", "%00", "${7*7}", "tag:", "tag:nothing", "lang:xx",
    "type:", "foo:bar", "-memory", "--", "- memory", "memory -", "tag:cache tag:threads",
    "constructor", "__proto__", "toString", "hasOwnProperty", "memory " * 2000, "内存" * 5000,
    "a b c d e f g h i j k l m n o p q r s t u v w x y z",
]  # fmt: skip


def with_long_facets(index: dict[str, bytes]) -> dict[str, bytes]:
    """Return the index as it is where the facets are too long for the root."""
    root = unscript(index["root.js"])
    del root["m"]
    return {**index, "root.js": script("root", root)}
