"""Tables of LaTeX commands and the characters that they stand for, used by ``latex``."""

from __future__ import annotations

_ABOVE_SYMBOLS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303",
    "=": "\u0304", ".": "\u0307", '"': "\u0308",
}  # fmt: skip
_ABOVE_WORDS = {
    "u": "\u0306", "r": "\u030a", "H": "\u030b", "v": "\u030c", "t": "\u0361",
    "grave": "\u0300", "acute": "\u0301", "hat": "\u0302", "tilde": "\u0303", "bar": "\u0304",
    "breve": "\u0306", "dot": "\u0307", "ddot": "\u0308", "check": "\u030c", "vec": "\u20d7",
    "widehat": "\u0302", "widetilde": "\u0303",
}  # fmt: skip
_BELOW_WORDS = {"d": "\u0323", "c": "\u0327", "k": "\u0328", "b": "\u0331"}

ACCENT_SYMBOLS = _ABOVE_SYMBOLS
ACCENT_WORDS = {**_ABOVE_WORDS, **_BELOW_WORDS}
ABOVE = frozenset({*_ABOVE_SYMBOLS.values(), *_ABOVE_WORDS.values()})

_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu "
    "nu xi omicron pi rho sigma tau upsilon phi chi psi omega"
)
_GREEK = dict(zip(_GREEK_NAMES.split(), "αβγδεζηθικλμνξοπρστυφχψω", strict=True))

SYMBOLS: dict[str, str] = {
    **_GREEK,
    **{name.capitalize(): letter.upper() for name, letter in _GREEK.items()},
    "varepsilon": "ε", "vartheta": "ϑ", "varphi": "φ", "varrho": "ϱ", "varsigma": "ς",
    # letters
    "ss": "ß", "SS": "ẞ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ",
    "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "imath": "ı", "jmath": "ȷ",
    "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ",
    # signs in text
    "TeX": "TeX", "LaTeX": "LaTeX", "LaTeXe": "LaTeX2e", "BibTeX": "BibTeX", "XeTeX": "XeTeX",
    "copyright": "©", "textcopyright": "©", "textregistered": "®", "texttrademark": "™",
    "textdegree": "°", "degree": "°", "textmu": "μ", "S": "§", "P": "¶", "dag": "†",
    "ddag": "‡", "pounds": "£", "textsterling": "£", "euro": "€", "texteuro": "€", "textyen": "¥",
    "textordfeminine": "ª", "textordmasculine": "º", "textbullet": "•", "textbar": "|",
    "textless": "<", "textgreater": ">", "textbackslash": "\\", "textasciitilde": "~",
    "textasciicircum": "^", "textasciigrave": "`", "textunderscore": "_", "textdollar": "$",
    "textpercent": "%", "textbraceleft": "{", "textbraceright": "}", "lbrace": "{", "rbrace": "}",
    "textquotesingle": "'", "textquoteleft": "‘", "textquoteright": "’", "textquotedbl": '"',
    "textquotedblleft": "“", "textquotedblright": "”", "guillemotleft": "«",
    "guillemotright": "»", "textendash": "–", "textemdash": "—", "textellipsis": "…",
    "dots": "…", "ldots": "…", "cdots": "⋯", "slash": "/", "textperiodcentered": "·",
    "backslash": "\\", "textonehalf": "½", "textnumero": "№",
    # spaces
    "space": " ", "quad": " ", "qquad": " ", "enspace": " ", "thinspace": " ", "par": " ",
    "newline": " ", "linebreak": " ", "nobreakspace": " ",
    # math
    "times": "×", "cdot": "·", "div": "÷", "pm": "±", "mp": "∓", "ast": "∗", "star": "⋆",
    "circ": "∘", "bullet": "•", "oplus": "⊕", "otimes": "⊗", "cup": "∪", "cap": "∩",
    "setminus": "∖", "wedge": "∧", "land": "∧", "vee": "∨", "lor": "∨", "neg": "¬", "lnot": "¬",
    "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠", "ne": "≠", "ll": "≪", "gg": "≫",
    "approx": "≈", "sim": "∼", "simeq": "≃", "equiv": "≡", "cong": "≅", "propto": "∝",
    "subset": "⊂", "subseteq": "⊆", "supset": "⊃", "supseteq": "⊇", "in": "∈", "notin": "∉",
    "emptyset": "∅", "infty": "∞", "partial": "∂", "nabla": "∇", "forall": "∀", "exists": "∃",
    "sum": "∑", "prod": "∏", "int": "∫", "ell": "ℓ", "hbar": "ℏ", "Re": "ℜ", "Im": "ℑ",
    "aleph": "ℵ", "prime": "′", "angle": "∠", "perp": "⊥", "parallel": "∥", "mid": "|",
    "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "langle": "⟨", "rangle": "⟩",
    "to": "→", "rightarrow": "→", "leftarrow": "←", "gets": "←", "leftrightarrow": "↔",
    "Rightarrow": "⇒", "Leftarrow": "⇐", "Leftrightarrow": "⇔", "uparrow": "↑",
    "downarrow": "↓", "mapsto": "↦", "vert": "|", "Vert": "‖", "colon": ":",
}  # fmt: skip

# Commands that only change the look of what follows, and are left out of plain text.
DECLARATIONS = frozenset(
    "bf it em sc tt sf rm sl bfseries mdseries itshape scshape slshape upshape ttfamily sffamily "
    "rmfamily normalfont tiny scriptsize footnotesize small normalsize large Large LARGE huge "
    "Huge relax protect left right big Big bigg Bigg displaystyle textstyle limits nolimits "
    "noindent newblock selectfont ignorespaces unskip allowbreak nobreak xspace leavevmode".split()
)

OPERATORS = frozenset(
    "log ln lg exp sin cos tan min max sup inf lim gcd det dim ker arg deg hom Pr bmod mod".split()
)

SUPERSCRIPTS = dict(
    zip(
        "0123456789+-−=()abcdefghijklmnoprstuvwxyz∘",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ°",
        strict=True,
    )
)
SUPERSCRIPTS["′"] = "′"
SUBSCRIPTS = dict(
    zip("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True)
)
