"""Prompts of a chat service as lists of numbers, one for each token, in forms that people use."""

import random

SYSTEM = list(range(1000, 2000))  # 1,000 tokens of instructions
TOOLS = [list(range(start, start + 100)) for start in range(3000, 3600, 100)]  # 6 tools


def words(generator, count):
    return [generator.randrange(10_000, 60_000) for _ in range(count)]


def flat(lists):
    return [token for tokens in lists for token in tokens]


def single(form, count=100):
    """``count`` questions of 50 to 150 tokens; yields the prompt and what else must agree."""
    generator = random.Random(7)
    for number in range(count):
        question = words(generator, generator.randrange(50, 151))
        clock = [5000 + digit for digit in (number // 36, number // 6 % 6, number % 6)]
        shuffled = list(TOOLS)
        generator.shuffle(shuffled)
        yield {
            "steady": (SYSTEM + flat(TOOLS) + question, None),
            "clock-first": (clock + SYSTEM + flat(TOOLS) + question, None),
            "clock-between": (SYSTEM + clock + flat(TOOLS) + question, None),
            "clock-last": (SYSTEM + flat(TOOLS) + clock + question, None),
            "tools-shuffled": (SYSTEM + flat(shuffled) + question, None),
            "padded-left": ([0] * (1800 - 1600 - len(question)) + SYSTEM + flat(TOOLS) + question, None),
            "salt-each": (SYSTEM + flat(TOOLS) + question, f"user {number}"),
            "adapters-four": (SYSTEM + flat(TOOLS) + question, f"adapter {number % 4}"),
            "short-prefix": (SYSTEM[:15] + question, None),
        }[form]


SINGLE = (
    "steady",
    "clock-last",
    "clock-between",
    "tools-shuffled",
    "adapters-four",
    "clock-first",
    "padded-left",
    "salt-each",
    "short-prefix",
)


def talk(form, user, turns=10):
    """One conversation: yields prompt and answer of each turn.

    ``append`` sends all earlier turns again, ``trim`` at most the last four, ``rewrite`` sends each
    earlier answer without its first 60 tokens (a template that leaves the reasoning out).
    """
    generator = random.Random(user)
    history = []
    for _ in range(turns):
        question, answer = words(generator, 60), words(generator, 140)
        kept = history[-4:] if form == "trim" else history
        cut = 60 if form == "rewrite" else 0
        past = flat(old_question + old_answer[cut:] for old_question, old_answer in kept)
        yield SYSTEM + past + question, answer
        history.append((question, answer))
