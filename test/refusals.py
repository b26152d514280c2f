#!/usr/bin/env python3
"""Checks that every reason for which hone leaves a kernel alone is expected by some test.

A reason is the text given to one of the MAKERS below in src/. Its fixed words are its string literals; what is computed
stands for any text. Expectations are the CHECK lines of test/lit, the comments of test/corpus, EXPECT and NOTE in test/acc/errors
and the string literals of test/unit. An expectation speaks for the reason with the most fixed words among those it fits, and so
does what follows a colon or an "and" in it: reasons hold reasons of what they asked. With --list, shows where
each reason comes from and a test that expects it.
"""
import os
import re
import sys
from dataclasses import dataclass, field

ROOMS = ["frontend", "emit", "passes", "tune", "cli", "acc"]
# What a reason is handed to: (rooms, or beginnings of files in them; opening text; what is read after it).
MAKERS = [
    (["frontend", "passes"], r"\brefuse\(", "argument"),
    (["frontend", "passes", "tune", "cli"], r"\bRefusal(?: \w+)?\{", "argument"),
    (["cli"], r"\bleave\(", "argument"),
    (["frontend", "cli"], r"\breason\s*=(?!=)", "statement"),
    (["emit"], r"\berror\(", "argument"),
    (["emit"], r"\berrors\.push_back\(\s*\{?", "argument"),
    (["emit"], r"\bproblem\s*=(?!=)", "statement"),
    (["acc"], r"\bRefused\{", "argument"),
    (["acc"], r"\bforbidden\(", "argument"),
    (["acc/LoopCount"], r"\breturn no\(", "argument"),
    (["acc/ReductionValues", "acc/Independence", "acc/HostText"], r'\breturn (?="[a-z]+ )', "statement"),
    # Errors and remarks about OpenACC, behind their places.
    (["frontend/Acc"], r"\b(?:report|error|remark)\((?!clang)(?:[^(),]|\(\))*, ", "argument"),
    (["frontend/Acc"], r"\bmessages\.push_back\(\s*\{(?:[^(),{}]|\(\))*, ", "argument"),
    (["cli/acc/"], r"\bError\(", "argument"),
    (["cli/acc/"], r"\bchanged\s*=(?!=)", "statement"),
]
DEFINITIONS = {"passes/recipe/Refusal.h", "passes/recipe/PassResult.cpp"}  # of the makers
# Functions whose result is their first argument, or a text made from it.
THROUGH = {"string", "move", "format", "str", "string_view"}
ANY = object()  # computed text
# A reason that was made elsewhere, or a declaration of the maker itself.
PASSED_ON = re.compile(r"(const std::string& |std::string )?[\w.>()\[\]\":-]*\b(reason|problem|text|specializationRefusal|why|what|changed|output|problems\.front|notes\.front)\b\W*|i|source\.unit\.failure\b.*")
END = r"(?: \(|\)|, in '|$)"  # what may follow a reason in the output
INTERNAL = "internal: "  # a fault of hone's own, which no input is known to cause


class Unreadable(Exception):
    pass


def tokens(text):
    """C++ tokens: ("string", value), ("name", text), ("other", text); comments are dropped."""
    scan = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\((.*?)\)\1"|(?:u8|u|U|L)?"((?:\\.|[^"\\\n])*)"'
        r"|'(?:\\.|[^'\\\n])+'|[A-Za-z_]\w*|\d[\w.']*|::|->|&&|\|\||[=!<>]=|\s+|.",
        re.S,
    )
    for m in scan.finditer(text):
        t = m[0]
        if t.isspace() or t.startswith(("//", "/*")):
            continue
        if m[2] is not None:
            yield "string", m[2]
        elif m[3] is not None:
            yield "string", re.sub(r"\\(.)", lambda e: {"n": "\n", "t": "\t"}.get(e[1], e[1]), m[3])
        elif t[0].isalpha() or t[0] == "_":
            yield "name", t
        else:
            yield "other", t


CLOSE = {"(": ")", "{": "}", "[": "]"}


def split(items, separator):
    """The items between separators that stand in no bracket."""
    parts, depth = [[]], 0
    for item in items:
        if item[0] == "other" and item[1] in CLOSE:
            depth += 1
        elif item[0] == "other" and item[1] in CLOSE.values():
            depth -= 1
        if depth == 0 and item == ("other", separator):
            parts.append([])
        else:
            parts[-1].append(item)
    return parts


def alternatives(items):
    """Every text the expression may have, each as a list of literals and ANY."""
    questions = split(items, "?")
    if len(questions) > 1:
        yes, no = [], None
        rest = items[len(questions[0]) + 1 :]
        # The colon that belongs to this question: nested questions take one each.
        brackets = depth = 0
        for at, item in enumerate(rest):
            if item[0] == "other":
                brackets += item[1] in CLOSE
                brackets -= item[1] in CLOSE.values()
                if brackets == 0 and item[1] == "?":
                    depth += 1
                if brackets == 0 and item[1] == ":":
                    if depth == 0:
                        yes, no = rest[:at], rest[at + 1 :]
                        break
                    depth -= 1
        if no is None:
            raise Unreadable("a question without an end")
        return alternatives(yes) + alternatives(no)
    texts = [[]]
    for operand in split(items, "+"):
        texts = [before + after for before in texts for after in operandTexts(operand)]
    return texts


def operandTexts(items):
    if not items:
        return [[ANY]]
    if all(kind == "string" for kind, _ in items):
        return [["".join(text for _, text in items)]]
    if items[0] == ("other", "(") and items[-1] == ("other", ")"):
        return alternatives(items[1:-1])
    # a::b::name(arguments) or name(arguments)
    at = 0
    while at < len(items) and (items[at][0] == "name" or items[at][1] == "::"):
        at += 1
    if at and at < len(items) and items[at] in (("other", "("), ("other", "{")) and items[-1][1] == CLOSE[items[at][1]]:
        name, arguments = items[at - 1][1], split(items[at + 1 : -1], ",")
        if name in THROUGH:
            texts = alternatives(arguments[0])
            if name != "format":
                return texts
            return [[part for piece in text for part in placeholders(piece)] for text in texts]
    return [[ANY]]


def placeholders(piece):
    if piece is ANY:
        return [ANY]
    out = []
    for at, text in enumerate(re.split(r"\{[^{}]*\}", piece)):
        out += ([ANY] if at else []) + [text]
    return out


@dataclass
class Reason:
    parts: list
    places: list = field(default_factory=list)

    @property
    def text(self):
        return "".join("…" if p is ANY else p for p in self.parts)

    @property
    def weight(self):
        return sum(len(p) for p in self.parts if p is not ANY)

    @property
    def pattern(self):
        # FileCheck may stand for any part of the text that is computed.
        return "".join(".+?" if p is ANY else re.escape(p) for p in self.parts)


def argument(text, start, end_of_statement):
    """The text of the first argument after `start`, or of the rest of the statement."""
    depth, at = 0, start
    literal = re.compile(r'R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.S)
    while at < len(text):
        if m := literal.match(text, at):
            at = m.end()
            continue
        c = text[at]
        if c in CLOSE:
            depth += 1
        elif c in CLOSE.values():
            if depth == 0:
                return text[start:at], at
            depth -= 1
        elif depth == 0 and c == ("," if not end_of_statement else ";"):
            return text[start:at], at
        at += 1
    raise Unreadable("no end")


def isRefusal(expression, text):
    """Whether it is a variable that holds a refusal made elsewhere."""
    return re.fullmatch(r"\w+", expression) and re.search(rf"\b(Refusal|Obstacle)&? {expression}\b", text)


def reasons(src):
    found = {}
    for room in ROOMS:
        folder = os.path.join(src, room)
        for where, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                if not name.endswith((".h", ".cpp")):
                    continue
                path = os.path.join(where, name)
                if os.path.relpath(path, src) in DEFINITIONS:
                    continue
                text = open(path, encoding="utf-8").read()
                for rooms, opening, what in MAKERS:
                    if not any(os.path.relpath(path, src).startswith(one if "/" in one else one + "/") for one in rooms):
                        continue
                    for m in re.finditer(opening, text):
                        line = text[: m.start()].rfind("\n") + 1
                        if "//" in text[line : m.start()]:
                            continue
                        start = m.end()
                        expression, _ = argument(text, start, what == "statement")
                        items = list(tokens(expression))
                        place = f"{os.path.relpath(path, os.path.dirname(src))}:{text.count(chr(10), 0, m.start()) + 1}"
                        isOther = PASSED_ON.fullmatch(expression.strip()) or isRefusal(expression.strip(), text)
                        if not any(kind == "string" for kind, _ in items) and not isOther:
                            sys.exit(f"{place}: cannot tell the words of the reason '{expression.strip()}'")
                        for parts in alternatives(items):
                            merged = []
                            for p in parts:
                                if p is not ANY and merged and merged[-1] is not ANY:
                                    merged[-1] += p
                                elif p is not ANY or not merged or merged[-1] is not ANY:
                                    merged.append(p)
                            merged = [p for p in merged if p != ""]
                            if not any(p is not ANY and re.search("[A-Za-z]", p) for p in merged):
                                continue  # passed on from elsewhere
                            reason = Reason(merged)
                            found.setdefault(reason.text, reason).places.append(place)
    return list(found.values())


def expectations(test):
    """(text of the expectation, where); what follows "left alone: " where that is written."""
    def files(folder, endings):
        for where, _, names in os.walk(os.path.join(test, folder)):
            for name in sorted(names):
                if name.endswith(endings):
                    path = os.path.join(where, name)
                    yield path, open(path, encoding="utf-8", errors="replace").read()

    out = []
    for path, text in files("lit", (".cu", ".cl", ".cuh", ".h", ".test", ".txt", ".c", ".cpp")):
        for m in re.finditer(r"^\W*([A-Z][A-Z0-9_-]*): ?(.*)$", text, re.M):
            if m[1] not in ("RUN", "REQUIRES") and not m[1].endswith("-NOT"):
                out.append((m[2].strip(), path))
    for path, text in files("corpus", (".cu", ".cl", ".cuh", ".h")):
        for m in re.finditer(r"^// (?:expect-refused: \S+ \d+|no-opencl: \S+|no-cuda: \S+|left-alone: \S+) (.*)$", text, re.M):
            out.append((m[1].strip(), path))
    for path, text in files(os.path.join("acc", "errors"), (".c", ".cpp")):
        out += [(re.sub(r"\\(.)", r"\1", m[1]), path) for m in re.finditer(r"// (?:EXPECT|NOTE): (.*?)\s*$", text, re.M)]
    for room in ROOMS:
        for path, text in files(os.path.join("unit", room), (".cpp", ".h")):
            out += [(value, path) for kind, value in tokens(text) if kind == "string"]
    return out


def main(src, test, listing):
    known = reasons(os.path.abspath(src))
    covered = {}
    for reason in known:
        reason.whole = re.compile(reason.pattern + END)
    for text, path in expectations(test):
        after = text.rpartition("left alone: ")[2]
        # Reasons hold reasons of what they asked.
        for at in [0] + [m.end() for m in re.finditer(r": |, and | \(| is over ", after)]:
            best, weight = [], 0
            for reason in known:
                if reason.weight >= weight and reason.whole.match(after, at):
                    if reason.weight > weight:
                        best, weight = [], reason.weight
                    best.append(reason)
            for reason in best:
                covered.setdefault(reason.text, path)
    own = [r for r in known if INTERNAL in r.text]
    missing = [r for r in known if r.text not in covered and r not in own]
    if listing:
        for r in sorted(known, key=lambda r: r.text):
            print(f"{r.text}\n    from {', '.join(r.places)}\n    {covered.get(r.text, '-')}")
    for r in missing:
        print(f"{r.places[0]}: no test expects the reason '{r.text}'")
    expected = len(known) - len(own) - len(missing)
    print(f"{len(known) - len(own)} reasons, {expected} expected by tests; {len(own)} for faults of hone's own")
    return 1 if missing or not known else 0


if __name__ == "__main__":
    listing = "--list" in sys.argv
    arguments = [a for a in sys.argv[1:] if a != "--list"]
    sys.exit(main(arguments[0], arguments[1], listing))
