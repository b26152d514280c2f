"""Compares two folders of source files outside of kernel bodies, without hone's help.

    same-outside-kernels.py ORIGINAL PATCHED FILE...

Bodies of __global__ and __kernel functions may differ, and PATCHED may have further text between hone's marks; every other byte must be equal. A FILE that PATCHED lacks counts as unchanged.
"""
import os
import re
import sys


def skip(text, at):
    """The end of the comment, string or character constant that begins here, or None."""
    for opening, closing in (("//", "\n"), ("/*", "*/")):
        if text.startswith(opening, at):
            end = text.find(closing, at + 2)
            return len(text) if end < 0 else end + (len(closing) if closing == "*/" else 0)
    if text[at] in "\"'":
        end = at + 1
        while end < len(text) and text[end] != text[at]:
            end += 2 if text[end] == "\\" else 1
        return end + 1
    return None


def kernels(text):
    """(begin of the first specifier, begin of the body, end) of every kernel definition."""
    at, statement = 0, 0
    while at < len(text):
        after = skip(text, at)
        if after is not None:
            at = after
            continue
        word = re.compile(r"\b(__global__|__kernel)\b").match(text, at) if text[at] == "_" else None
        if word:
            begin, depth, at = statement, 0, word.end()
            while at < len(text) and not (depth == 0 and text[at] in "{;"):
                after = skip(text, at)
                depth += {"(": 1, ")": -1}.get(text[at], 0)
                at = after if after is not None else at + 1
            if at < len(text) and text[at] == "{":
                body, depth = at, 0
                while True:
                    after = skip(text, at)
                    if after is None:
                        depth += {"{": 1, "}": -1}.get(text[at], 0)
                        after = at + 1
                    at = after
                    if depth == 0:
                        break
                yield begin, body, at
                statement = at
            continue
        if text[at] in ";{}" or (text[at] == "\n" and text[:at].rstrip("\n").rsplit("\n", 1)[-1].startswith("#")):
            statement = at + 1
        at += 1


def outside(text):
    text = re.sub(r"(\r?\n){2}[ \t]*// hone: begin, beside .*?// hone: end [0-9a-f]{12}(, line goes on\r?\n)?", "", text, flags=re.S)
    parts, last, count = [], 0, 0
    for begin, body, end in kernels(text):
        parts.append(text[last:body] + "{...}")
        count += 1
        last = end
    return "".join(parts) + text[last:], count


original, patched, names = sys.argv[1], sys.argv[2], sys.argv[3:]
changed = total = 0
for name in names:
    before = open(os.path.join(original, name), newline="").read()
    path = os.path.join(patched, name)
    after = open(path, newline="").read() if os.path.exists(path) else before
    (left, count), (right, _) = outside(before), outside(after)
    total += count
    changed += before != after
    if left != right:
        print(f"{name}: differs outside of kernels")
        for a, b in zip(left.split("\n"), right.split("\n")):
            if a != b:
                print(f"  before: {a!r}\n  after:  {b!r}")
                break
        sys.exit(1)
print(f"{changed} files changed, {total} kernels, all else equal")
