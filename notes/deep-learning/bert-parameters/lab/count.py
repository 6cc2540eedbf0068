"""Counts the parameters of BERT models, tensor by tensor and by a formula, and prints JSON.

    python3 count.py          counts and shares as one JSON object
    python3 count.py table    one line per tensor of BERT-base

Plain Python: the shapes are those that the official code asks TensorFlow for.
"""

import json
import sys
from dataclasses import dataclass, replace
from math import prod


@dataclass(frozen=True)
class Config:
    """The fields of bert_config.json that decide about shapes; BERT-base, uncased."""

    vocab: int = 30522
    hidden: int = 768
    layers: int = 12
    heads: int = 12
    intermediate: int = 3072
    positions: int = 512
    types: int = 2


def dense(name, inputs, outputs):
    return [(f"{name}/kernel", (inputs, outputs)), (f"{name}/bias", (outputs,))]


def layer_norm(name, width):
    return [(f"{name}/LayerNorm/gamma", (width,)), (f"{name}/LayerNorm/beta", (width,))]


def embeddings(c):
    return [
        ("embeddings/word_embeddings", (c.vocab, c.hidden)),
        ("embeddings/token_type_embeddings", (c.types, c.hidden)),
        ("embeddings/position_embeddings", (c.positions, c.hidden)),
        *layer_norm("embeddings", c.hidden),
    ]


def attention(c, at):
    """Query, key and value of all heads side by side, then the projection back."""
    if c.hidden % c.heads:
        raise ValueError(f"hidden size {c.hidden} is not a multiple of {c.heads} heads")
    all_heads = c.heads * (c.hidden // c.heads)
    tensors = []
    for part in ("query", "key", "value"):
        tensors += dense(f"{at}/attention/self/{part}", c.hidden, all_heads)
    tensors += dense(f"{at}/attention/output/dense", all_heads, c.hidden)
    return tensors + layer_norm(f"{at}/attention/output", c.hidden)


def feed_forward(c, at):
    return [
        *dense(f"{at}/intermediate/dense", c.hidden, c.intermediate),
        *dense(f"{at}/output/dense", c.intermediate, c.hidden),
        *layer_norm(f"{at}/output", c.hidden),
    ]


def encoder(c):
    tensors = []
    for i in range(c.layers):
        tensors += attention(c, f"encoder/layer_{i}") + feed_forward(c, f"encoder/layer_{i}")
    return tensors


def pooler(c):
    return dense("pooler/dense", c.hidden, c.hidden)


def model(c):
    return embeddings(c) + encoder(c) + pooler(c)


def question_answering(c):
    """Two scores per token: start and end of the answer."""
    return [("cls/squad/output_weights", (2, c.hidden)), ("cls/squad/output_bias", (2,))]


def pre_training(c):
    """Masked words (their output matrix is the word embedding, not counted again), next sentence."""
    return [
        *dense("cls/predictions/transform/dense", c.hidden, c.hidden),
        *layer_norm("cls/predictions/transform", c.hidden),
        ("cls/predictions/output_bias", (c.vocab,)),
        ("cls/seq_relationship/output_weights", (2, c.hidden)),
        ("cls/seq_relationship/output_bias", (2,)),
    ]


def size(tensors):
    return sum(prod(shape) for _, shape in tensors)


def formula(c):
    """The same by algebra, with V, P, T, H, I, L as in the note."""
    v, p, t, h, i, n = c.vocab, c.positions, c.types, c.hidden, c.intermediate, c.layers
    return (v + p + t + 2) * h + n * (4 * h * h + 2 * h * i + 9 * h + i) + h * h + h


def counts():
    base = Config()
    large = Config(hidden=1024, layers=24, heads=16, intermediate=4096)
    tensors = model(base)
    names = [name for name, _ in tensors]
    if len(names) != len(set(names)):
        raise ValueError("a tensor is counted twice")
    layer = attention(base, "layer_0") + feed_forward(base, "layer_0")
    matrices = [t for t in encoder(base) if len(t[1]) == 2]
    vectors = [t for t in tensors if len(t[1]) == 1]
    return {
        "base": size(tensors),
        "base_formula": formula(base),
        "base_qa": size(tensors + question_answering(base)),
        "base_qa_no_pooler": size(embeddings(base) + encoder(base) + question_answering(base)),
        "base_no_pooler": size(embeddings(base) + encoder(base)),
        "base_pre_training": size(tensors + pre_training(base)),
        "base_64_heads": size(model(replace(base, heads=64))),
        "base_11_layers": size(model(replace(base, layers=11))),
        "large": size(model(large)),
        "large_formula": formula(large),
        "large_pre_training": size(model(large) + pre_training(large)),
        "tensors": len(tensors),
        "embeddings": size(embeddings(base)),
        "words": base.vocab * base.hidden,
        "positions": base.positions * base.hidden,
        "types": base.types * base.hidden,
        "encoder": size(encoder(base)),
        "layer": size(layer),
        "attention": size(attention(base, "layer_0")),
        "feed_forward": size(feed_forward(base, "layer_0")),
        "encoder_matrices": size(matrices),
        "vectors": size(vectors),
        "vector_tensors": len(vectors),
        "pooler": size(pooler(base)),
        "bytes": 4 * size(tensors),  # in float32
        "adam_bytes": 16 * size(tensors),  # weights, gradients and Adam's two moments
        "work": 2 * size(matrices),  # per token: one multiplication and one addition per weight
        "question_answering": size(question_answering(base)),
        "pre_training": size(pre_training(base)),
    }


def table():
    """Embeddings, the first layer, what the other layers add, the pooler, the sum."""
    base = Config()
    shown = [t for t in model(base) if "layer_" not in t[0] or "layer_0/" in t[0]]
    rows = [(name, " x ".join(map(str, shape)), prod(shape)) for name, shape in shown]
    others = size(model(base)) - sum(row[2] for row in rows)
    rows.insert(-2, (f"encoder/layer_1 to layer_{base.layers - 1}", "the same", others))
    rows.append(("sum", "", size(model(base))))
    for name, shape, number in rows:
        print(f"{name:48} {shape:>11} {number:>11,}")


def main(arguments):
    if arguments == ["table"]:
        table()
    elif not arguments:
        print(json.dumps(counts()))
    else:
        sys.exit("usage: count.py [table]")


if __name__ == "__main__":
    main(sys.argv[1:])
