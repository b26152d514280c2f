"""One change in what hone wrote: an operator, an index, a bound, a condition, a barrier. Most changes make it wrong."""
import re

import texts

# What is looked for in code without comments and strings, and what may stand there instead.
CHANGES = [
    ("comparison", r"(?<= )(<=|>=|<|>|==|!=)(?= )", {"<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="],
                                                     "==": ["!="], "!=": ["=="]}),
    ("operator", r"(?<=[\w)\]] )([-+*/%])(?= [\w(])", {"+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"]}),
    ("condition", r"(&&|\|\|)", {"&&": ["||"], "||": ["&&"]}),
    ("barrier", r"(__syncthreads\(\);)", {"__syncthreads();": [";"]}),
    ("number", r"(?<![\w.])(\d+)(?=[;,)\] ])(?!\.)", None),
    ("step", r"(\+=|-=)", {"+=": ["-="], "-=": ["+="]}),
]


def places(text, kernel):
    """All changes that could be made to hone's own part of the text: (kind, begin, end, instead)."""
    begin = text.find("namespace %s_hone" % kernel)
    if begin < 0:
        return []
    mask = texts.masked(text)
    out = []
    for kind, pattern, instead in CHANGES:
        for match in re.finditer(pattern, mask[begin:]):
            word = match.group(1)
            line = mask[mask.rfind("\n", 0, begin + match.start()) + 1:begin + match.start()]
            if line.lstrip().startswith("#") or "static_assert" in line or "__align__" in line:
                continue
            for other in (instead[word] if instead else [str(int(word) + 1), str(max(0, int(word) - 1))]):
                if other != word:
                    out.append((kind, begin + match.start(1), begin + match.end(1), other))
    return out


def mutate(rng, text, kernel):
    """The text with one change and a line that says which; None where there is nothing to change."""
    all_places = places(text, kernel)
    if not all_places:
        return None
    kinds = sorted({place[0] for place in all_places})
    kind = rng.choice(kinds)
    _, begin, end, other = rng.choice([place for place in all_places if place[0] == kind])
    line = text.count("\n", 0, begin) + 1
    return text[:begin] + other + text[end:], "%s in line %d: %s becomes %s" % (kind, line, text[begin:end], other)
