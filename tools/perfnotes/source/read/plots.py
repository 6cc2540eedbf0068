"""Reads the plots of a lab: the part ``plots`` of ``lab.yml``, which the schema has accepted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perfnotes.model.bilingual import bilingual
from perfnotes.model.plot import Mark, Parameter, Plot, Point, Series
from perfnotes.source.yamlfile import YamlDocument


def plots_of(document: YamlDocument) -> dict[str, Plot]:
    """Return the plots of a lab by id."""
    return {id: _plot(document, id, data) for id, data in document.value.get("plots", {}).items()}


def _plot(document: YamlDocument, id: str, data: Mapping[str, Any]) -> Plot:
    path = ("plots", id)
    marks = data.get("marks", [])
    x = data.get("x")
    limit = _points(document, data.get("limit", {}), *path, "limit")
    if "series" in data:
        series = [
            Series(
                bilingual(each["name"]),
                _points(document, each["values"], *path, "series", i, "values"),
            )
            for i, each in enumerate(data["series"])
        ]
    else:
        series = [Series(None, _points(document, data["values"], *path, "values"))]
    return Plot(
        id=id,
        kind=data["kind"],
        title=bilingual(data["title"]),
        series=tuple(series),
        parameter=Parameter(bilingual(x["what"]), x["unit"], document.place((*path, "x")))
        if x
        else None,
        marks=()
        if marks == "caches"
        else tuple(Mark(bilingual(m["what"]), float(m["at"])) for m in marks),
        caches=marks == "caches",
        limit=limit[0] if limit else None,
        place=document.place(path),
    )


def _points(
    document: YamlDocument, values: Mapping[str, Any] | list[str], *path: str | int
) -> tuple[Point, ...]:
    """Return the points of a list of ids, or of a mapping from ids to labels or numbers.

    ``path`` leads to the list or mapping in the document.
    """
    if isinstance(values, list):
        return tuple(Point(id, place=document.place((*path, i))) for i, id in enumerate(values))
    return tuple(
        Point(id, None, float(given), document.place((*path, id)))
        if isinstance(given, int | float)
        else Point(id, bilingual(given), None, document.place((*path, id)))
        for id, given in values.items()
    )
