"""A note with calculators, to add to the example notes."""

from __future__ import annotations

CALC = """\
bandwidth:
  title: {en: Bandwidth of a bus, zh: 总线带宽}
  inputs:
    rate: {what: {en: transfers per second, zh: 每秒传输次数}, unit: GT/s,
      value: 16, least: 0.5, most: 64}
    width: {what: {en: bits per transfer, zh: 每次传输的位数}, unit: bit/T, value: 128, least: 1}
    size: {what: {en: bytes, zh: 字节数}, unit: kB, value: 1}
  outputs:
    bandwidth: {what: {en: bytes per second, zh: 每秒字节数}, unit: GB/s, formula: rate * width}
    time:
      what: {en: time for these bytes, zh: 传输这些字节的时间}
      unit: ns
      formula: size / bandwidth
      otherwise: {en: never, zh: 永不}
  cases:
  - {what: {en: sixteen lanes, zh: 十六条通道},
    values: {rate: 32, width: 16}, gives: {bandwidth: 64 GB/s}}
  - {what: {en: the fields as they come, zh: 初始值}, values: {}}
numbers:
  title: Arithmetic
  inputs:
    x: {what: any number, unit: "", value: 3}
    y: {what: "a share <b>", unit: "%", value: 25}
  outputs:
    precedence: {what: "powers, signs & signs", unit: "",
      formula: -x ** 2 + 2 ** -1 ** 2 * (x - y) / 8 - -x}
    functions: {what: several, unit: "",
      formula: "min(x, y, 7) + max(abs(x), 2) + floor(x / 2) - ceil(y) + sqrt(abs(x))"}
    logarithm: {what: of x, unit: "", formula: log2(x), otherwise: {en: none, zh: 无}}
    scaled: {what: in per cent, unit: "%", formula: (x + .5e1) / (x - 2.) * y}
    later: {what: from another, unit: "", formula: logarithm * 1e20}
  cases:
  - {what: "at 3", values: {x: 3, y: 25}}
  - {what: "at -8", values: {x: -8}}
"""
FENCES = """\
The bandwidth of a bus.

```text calc=bandwidth
bandwidth = rate * width
time = size / bandwidth
```

```text calc=numbers
precedence = -x ** 2 + 2 ** -1 ** 2 * (x - y) / 8 - -x
functions = min(x, y, 7) + max(abs(x), 2) + floor(x / 2) - ceil(y) + sqrt(abs(x))
logarithm = log2(x)
scaled = (x + .5e1) / (x - 2.) * y
later = logarithm * 1e20
```
"""
NOTES = {
    "caches/bus/calc.yml": CALC,
    "caches/bus/index.md": FENCES,
    "caches/bus/index.zh.md": FENCES.replace("The bandwidth of a bus.", "总线的带宽。"),
}
