"""CUDA text that a C++ compiler for the CPU reads: launches become calls, what else is not C++ becomes so."""
import re


def masked(text):
    """The text with comments and strings blanked, of the same length."""
    out = list(text)
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\''
    for match in re.finditer(pattern, text, re.S):
        for i in range(match.start(), match.end()):
            if out[i] != "\n":
                out[i] = " "
    return "".join(out)


def closing(text, at, opening="(", close=")"):
    """Where the bracket at `at` closes."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == opening) - (text[i] == close)
        if depth == 0:
            return i
    raise ValueError("a bracket does not close: " + text[at:at + 60])


def callee_begin(text, end):
    """Where the name of the kernel in front of `<<<` begins."""
    i = end
    while i > 0:
        while i > 0 and text[i - 1].isspace():
            i -= 1
        if text[i - 1] == ">":
            depth = 0
            while i > 0:
                i -= 1
                depth += (text[i] == ">") - (text[i] == "<")
                if depth == 0:
                    break
            continue
        start = i
        while i > 0 and (text[i - 1].isalnum() or text[i - 1] == "_"):
            i -= 1
        if text[max(0, i - 2):i] == "::":
            i -= 2
            if i == 0 or not (text[i - 1].isalnum() or text[i - 1] in "_>"):
                return i
            continue
        if start == i:
            raise ValueError("no kernel in front of <<<: " + text[max(0, end - 40):end])
        return i
    return i


def launches_as_calls(text):
    while True:
        mask = masked(text)
        at = mask.rfind("<<<")
        if at < 0:
            return text
        begin = callee_begin(mask, at)
        end, depth = at + 3, 0
        while not (depth == 0 and mask.startswith(">>>", end)):
            depth += (mask[end] in "([{") - (mask[end] in ")]}")
            end += 1
        paren = mask.index("(", end)
        close = closing(mask, paren)
        callee, config = text[begin:at].strip(), text[at + 3:end]
        arguments = text[paren + 1:close]
        call = 'judge::launch("%s", judge::Config(%s), [&](auto... judge_a) { %s(judge_a...); }%s%s)' % (
            re.sub(r"\s+", " ", callee).split("::")[-1], config, callee,
            ", " if arguments.strip() else "", arguments)
        text = text[:begin] + call + text[close + 1:]


def as_cpp(text):
    text = re.sub(r"\bextern\s+__shared__\s+(?:__align__\s*\(\s*\d+\s*\)\s*)?((?:unsigned\s+)?\w+)\s+"
                  r"(?:__align__\s*\(\s*\d+\s*\)\s*)?(\w+)\s*\[\s*\]\s*;", r"\1* \2 = (\1*)judge::dynamicShared();", text)
    text = re.sub(r"\b(cudaLaunchCooperativeKernel|cudaLaunchKernel|cudaFuncSetAttribute)\s*\(\s*\(\s*(?:const\s+)?void\s*"
                  r"\*\s*\)", r"\1(", text)
    text = re.sub(r"#pragma unroll[^\n]*", "", text)  # means nothing here, and takes the compiler ten times as long
    text = re.sub(r"\bint\s+main\s*\(", "int judge_main(", text)
    return launches_as_calls(text)


def launch_function(kernel):
    """That of "scale", or of the instantiation "scale<float, 4>"."""
    name, angle, arguments = kernel.partition("<")
    return name + "_launch" + angle + arguments


def has_launch_function(text, kernel):
    return re.search(r"\b%s\s*\(\s*dim3\b" % re.escape(launch_function(kernel)), masked(text)) is not None


def does_several_launches(text, kernel):
    """A launch function that stands for iterations of a loop of the host returns where it has come to."""
    return re.search(r"\b(?:int|unsigned|long|size_t|\w+_t)\s+%s_launch\s*\(\s*dim3\b" % re.escape(kernel), masked(text)) is not None


def library_source(text, kernel, isResult):
    """What is compiled: the text, and what the runner asks for."""
    if isResult and has_launch_function(text, kernel):
        entry = "judge::OfLaunch<&%s>" % launch_function(kernel)
    else:
        entry = "judge::OfKernel<&%s>" % kernel
    return as_cpp(text) + '\nextern "C" __attribute__((visibility("default"))) judge::Entry judge_entry() { return %s::entry(); }\n' % entry


SIZES = {"char": 1, "bool": 1, "short": 2, "half": 2, "__half": 2, "int": 4, "unsigned": 4, "float": 4, "double": 8,
         "long": 8, "size_t": 8, "int8_t": 1, "uint8_t": 1, "int16_t": 2, "uint16_t": 2, "int32_t": 4, "uint32_t": 4,
         "int64_t": 8, "uint64_t": 8, "ptrdiff_t": 8}


class Param:
    def __init__(self, text):
        text = text.partition("=")[0].strip()
        array = re.search(r"\(\s*\*\s*(\w+)\s*\)\s*\[", text)
        self.name = array.group(1) if array else re.search(r"(\w+)\s*(?:\[\s*\])?$", text).group(1)
        self.isPointer = "*" in text or "[" in text
        self.isRestricted = "restrict" in text
        words = re.findall(r"\w+", text.split("*")[0])
        self.words = [w for w in words if w not in ("const", "volatile", "signed", "__restrict__") and w != self.name]
        base = self.words[-1] if self.words else "int"
        if base == "int" and len(self.words) > 1 and self.words[-2] in ("long", "short"):
            base = self.words[-2]
        vector = re.fullmatch(r"(u?)(char|short|int|long|longlong|float|double)([1-4])", base)
        if vector:
            one = SIZES.get("long" if "long" in vector.group(2) else vector.group(2), 4)
            self.bytes = one * int(vector.group(3))
            self.align = {1: one, 2: min(16, 2 * one), 3: one, 4: min(16, 4 * one)}[int(vector.group(3))]
        else:
            self.bytes = self.align = SIZES.get(base, 0)
        self.isFloat = base in ("float", "double", "half", "__half")
        self.isBool = base == "bool"
        self.isUnsigned = "unsigned" in self.words or base == "size_t" or base.startswith("uint") or base == "bool"


def parameters(text, kernel):
    """Of the kernel, or of an instantiation of its template."""
    mask = masked(text)
    name, _, given = kernel.partition("<")
    for match in re.finditer(r"(?:template\s*<([^>]*)>\s*)?__global__[^;{}]*?\b%s\s*\(" % re.escape(name), mask):
        at = match.end() - 1
        inside = mask[at + 1:closing(mask, at)]
        for parameter, argument in zip((match.group(1) or "").split(","), given.rstrip(">").split(",")):
            inside = re.sub(r"\b%s\b" % parameter.split("=")[0].split()[-1] if given else r"$^", argument.strip(), inside)
        out, depth, last = [], 0, 0
        for i, c in enumerate(inside + ","):
            depth += (c in "([{<") - (c in ")]}>")
            if c == "," and depth == 0:
                if inside[last:i].strip():
                    out.append(Param(inside[last:i]))
                last = i + 1
        return out
    raise ValueError("there is no kernel " + kernel)
