"""How much processor time `perfnotes check` takes, with an empty cache, a full one and an edit."""
