"""Import: somebody's existing notes become drafts in our form, without losing a word.

Bytes become text (``decode``), a format's text becomes Markdown (``formats``), Markdown of other
houses becomes ours by small changes (``dialects`` and ``steps``), links are resolved when every
file is known (``links``), and all is written or nothing (``plan``, ``place``). Nothing is guessed
in silence: each change that was a guess says so with its line.
"""
