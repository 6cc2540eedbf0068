"""Bytes of the logits of Llama models for 8,192 tokens, by the formula; nothing is run."""

import json

TOKENS, WORDS = 8192, 128256
WIDTHS = {"1b": 2048, "8b": 4096}

if __name__ == "__main__":
    result = {"half": TOKENS * WORDS * 2, "one": TOKENS * WORDS * 4, "four": TOKENS * WORDS * 16}
    print(f"{TOKENS} tokens, {WORDS} words")
    print(
        f"logits in 16 bits {result['half'] / 1e9:.2f} GB, in float32 {result['one'] / 1e9:.2f} GB, "
        f"four such arrays {result['four'] / 1e9:.2f} GB"
    )
    for name, width in WIDTHS.items():
        # Tokens at a time, so that their logits have about as many numbers as the hidden states:
        # the next power of two of TOKENS * width / WORDS.
        chunk = 1 << (-(-TOKENS // -(-WORDS // width)) - 1).bit_length()
        result |= {
            f"hidden_{name}": TOKENS * width * 2,
            f"times_{name}": WORDS / width,
            f"chunk_{name}": chunk,
            f"chunk_bytes_{name}": chunk * WORDS * 2,
        }
        print(
            f"width {width}: hidden states in 16 bits {TOKENS * width * 2 / 1e6:.1f} MB, "
            f"logits have {WORDS / width:.1f} times as many numbers; "
            f"{chunk} tokens at a time, {chunk * WORDS * 2 / 1e6:.1f} MB"
        )
    print(json.dumps(result))
