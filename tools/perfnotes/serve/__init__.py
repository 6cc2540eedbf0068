"""``perfnotes serve``: serves the site on this machine and follows every edit.

Two processes share the work. The server's process keeps the linked notes in memory (``preview``):
it makes the page of the text that was edited and shows it at once. A ``worker`` process then builds
the whole site as ``perfnotes build`` does, and its pages replace the previews.
"""
