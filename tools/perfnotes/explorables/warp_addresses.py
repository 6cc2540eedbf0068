"""The addresses of a warp, as sectors of global memory and as banks of shared memory."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.explorables._drawing import Attributes, Element, at, label, line
from perfnotes.explorables._explorable import Control, Explorable, Numbers
from perfnotes.model.bilingual import Bilingual

_LANES, _BANKS, _WORD, _SECTOR = 32, 32, 4, 32
_LEFT, _PITCH = 28, 10
_CELLS, _HIGH = 20, 26
_BOTTOM, _STEP = 172, 3


def _addresses(n: Numbers) -> list[int]:
    size, stride, offset = int(_size(n)), int(n["stride"]), int(n["offset"])
    return [size * (offset + stride * lane) for lane in range(_LANES)]


def _size(n: Numbers) -> float:
    """The bytes that a lane accesses: 4, 8 or 16."""
    return float(_WORD * 2.0 ** n["type"])


def _used(n: Numbers) -> list[int]:
    """For each sector that the warp touches, the number of its bytes that a lane accesses."""
    size = int(_size(n))
    words = {byte // _WORD for each in _addresses(n) for byte in range(each, each + size, _WORD)}
    sectors = [word * _WORD // _SECTOR for word in words]
    return [_WORD * sectors.count(sector) for sector in sorted(set(sectors))]


def _parts(n: Numbers) -> list[list[int]]:
    """For each part of the warp that is served together, the number of words from each bank."""
    size = int(_size(n))
    together, addresses = _LANES * _WORD // size, _addresses(n)
    parts = []
    for first in range(0, _LANES, together):
        words = {
            byte // _WORD
            for each in addresses[first : first + together]
            for byte in range(each, each + size, _WORD)
        }
        counts = [0] * _BANKS
        for word in words:
            counts[word % _BANKS] += 1
        parts.append(counts)
    return parts


def compute(n: Numbers) -> dict[str, float]:
    """``case`` is 0 without bank conflicts, else 1."""
    used, parts = _used(n), _parts(n)
    passes = sum(max(counts) for counts in parts)
    return {
        "size": _size(n),
        "sectors": len(used),
        "used": sum(used),
        "touched": _SECTOR * len(used),
        "passes": passes,
        "least": len(parts),
        "case": int(passes > len(parts)),
    }


def frame(lang: str) -> str:
    """The names of both parts, and the numbers of words and of banks."""
    right = _LEFT + _BANKS * _PITCH
    words = {
        "en": (
            "Global memory: sectors touched, and used",
            "Shared memory: words wanted of each bank",
        ),
        "zh": ("全局内存：触及的扇区，以及用到多少", "共享内存：每个存储体要交出的字数"),
    }[lang]
    parts = [label(_LEFT, 13, words[0]), label(_LEFT, 65, words[1])]
    for count in (8, 16, 32):
        y = _BOTTOM - _STEP * count
        parts.append(line(_LEFT, y, right, y, "pn-x-grid"))
        parts.append(label(_LEFT - 5, y + 4, str(count), "end"))
    parts.append(line(_LEFT, _BOTTOM, right, _BOTTOM, "pn-x-axis"))
    for bank in (0, 8, 16, 24, 31):
        parts.append(label(_LEFT + _PITCH * (bank + 0.5), _BOTTOM + 15, str(bank), "middle"))
    return "".join(parts)


def draw(n: Numbers) -> Iterator[Attributes]:
    """A cell for each sector with what is used of it, and a bar for each bank."""
    used, parts = _used(n), _parts(n)
    for place in range(_LANES):
        yield {"class": "pn-x-cell" if place < len(used) else "pn-x-none"}
        bytes_used = used[place] if place < len(used) else 0
        high = at(_HIGH * bytes_used / _SECTOR)
        yield {
            "class": "pn-x-first" if bytes_used else "pn-x-none",
            "y": at(_CELLS + _HIGH - high),
            "height": high,
        }
    for bank in range(_BANKS):
        count = sum(counts[bank] for counts in parts)
        over = any(counts[bank] > 1 for counts in parts)
        yield {
            "class": "pn-x-none" if not count else "pn-x-hot" if over else "pn-x-good",
            "y": _BOTTOM - _STEP * count,
            "height": _STEP * count,
        }


def _cell(place: int) -> tuple[Element, ...]:
    x = _LEFT + _PITCH * place
    return (
        ("rect", {"x": x + 0.5, "y": _CELLS, "width": _PITCH - 1, "height": _HIGH}),
        ("rect", {"x": x + 0.5, "width": _PITCH - 1}),
    )


EXPLORABLE = Explorable(
    title=Bilingual("A warp's addresses in sectors and banks", "线程束的地址落在哪些扇区与存储体"),
    lead=Bilingual(
        "Each of 32 lanes accesses one element. Its number is the offset, and the stride times "
        "the lane. The same addresses are shown for global and for shared memory.",
        "32 条通道各访问一个元素，元素的编号是偏移加上跨步乘以通道号。"
        "同样的地址，分别当作全局内存与共享内存来看。",
    ),
    how=Bilingual(
        "Above, a cell is a sector of 32 bytes that the request touches, filled as far as its "
        "bytes are asked for. Below, a bar is the number of different words that a bank hands "
        "out. Lanes are served together in parts of 32, 16 or 8, for elements of 4, 8 or 16 "
        "bytes; the busiest bank of each part decides its passes. Caches, and the pairs of lanes "
        "that some chips serve at once, are left out.",
        "上面一格是请求触及的一个 32 字节的扇区，填到多高，就有多少字节被请求。"
        "下面一条是一个存储体要交出的不同的字数。元素为 4、8、16 字节时，"
        "每次一起处理 32、16、8 条通道；每一部分的趟数由其中最忙的存储体决定。"
        "缓存没有算进去，某些芯片上成对通道一起处理的情形也没有。",
    ),
    formulas=(
        "address = [size * (offset + stride * lane) for lane in range(32)]",
        "sectors = len({a // 32 for a in address})",
        "parts = [address[i:i + 128 // size] for i in range(0, 32, 128 // size)]",
        "words = [{(a + b) // 4 for a in part for b in range(0, size, 4)} for part in parts]",
        "passes = sum(max(Counter(w % 32 for w in each).values()) for each in words)",
    ),
    constants=(),
    controls=(
        Control("stride", Bilingual("Stride, in elements", "跨步（元素）"), 0, 33, 8),
        Control("offset", Bilingual("Offset, in elements", "偏移（元素）"), 0, 8, 0),
        Control(
            "type",
            Bilingual("Element", "元素"),
            0,
            2,
            0,
            choices=(
                Bilingual("float, 4 bytes", "float，4 字节"),
                Bilingual("double, 8 bytes", "double，8 字节"),
                Bilingual("float4, 16 bytes", "float4，16 字节"),
            ),
        ),
    ),
    says=(
        Bilingual(
            "Sectors of global memory: {sectors}, with {used} of {touched} bytes used. "
            "Passes in shared memory: {passes}, the fewest for {size} bytes a lane.",
            "全局内存的扇区：{sectors} 个，共 {touched} 字节，用到 {used} 字节。"
            "共享内存的趟数：{passes}，每条通道 {size} 字节时这就是最少的。",
        ),
        Bilingual(
            "Sectors of global memory: {sectors}, with {used} of {touched} bytes used. "
            "Passes in shared memory: {passes} instead of {least}, a bank conflict.",
            "全局内存的扇区：{sectors} 个，共 {touched} 字节，用到 {used} 字节。"
            "共享内存的趟数：{passes}，而不是 {least}：存储体冲突。",
        ),
    ),
    height=194,
    frame=lambda _, lang: frame(lang),
    moving=(
        *(each for place in range(_LANES) for each in _cell(place)),
        *(
            ("rect", {"x": _LEFT + _PITCH * bank + 1, "width": _PITCH - 2})
            for bank in range(_BANKS)
        ),
    ),
    compute=compute,
    draw=lambda n: tuple(draw(n)),
)
