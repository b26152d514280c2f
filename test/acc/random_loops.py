"""Heads of loops in random OpenACC programs, and what control flow stands around loops: loops that are skipped, left and begun anew,
branches and cases."""


class Loops:
    """Of random_text.Program."""

    def counter(self, at, dim=None, plain=False):
        """(header, own index, covers all) of a loop over dimension `at`."""
        n = dim or self.dims[at]
        i = self.name("i")
        type_ = self.choice(["int", "int", "int", "long", "unsigned", "unsigned long", "u64"])
        step = self.choice([f"++{i}", f"{i}++", f"{i} += 1", f"{i} = {i} + 1"])
        usual = (f"for ({type_} {i} = 0; {i} < ({type_}){n}; {step})", i, True)
        if plain or self.chance(45):
            return usual
        big = self.choice([4294967296, 9007199254740992])
        return self.choice([
            usual,
            (f"for ({type_} {i} = {n}; {i} > 0; --{i})", f"({i} - 1)", True),
            (f"for (int {i} = {n} - 1; {i} >= 0; {i}--)", i, True),
            (f"for (long {i} = {self.choice([0, 1])}; {i} < {n}; {i} += {self.choice([2, 3])})", i, False),
            (f"for (int {i} = {self.random.randrange(3)}; {i} <= {n} - 2; ++{i})", i, False),
            (f"for (int {i} = {n} - 1; {i} > -1; {i} -= 2)", i, False),
            # Counters that begin elsewhere: below 0, beyond 32 bits, near the end of their type.
            (f"for (int {i} = -{n}; {i} < 0; ++{i})", f"({i} + {n})", True),
            (f"for (int {i} = 3 * {n}; {i} > 0; {i} -= 3)", f"({i} / 3 - 1)", True),
            (f"for (long {i} = {big}L; {i} < {big}L + {n}; ++{i})", f"({i} & 4294967295L)", True),
            (f"for (long long {i} = {n} - 1 - {big}LL; {i} >= -{big}LL; {i} -= 1)", f"({i} & 4294967295L)", True),
            (f"for (unsigned {i} = 4294967000u; {i} < 4294967000u + (unsigned){n}; ++{i})", f"({i} - 4294967000u)", True),
            (f"for (int {i} = 2147483500; {i} < 2147483500 + {n}; ++{i})", f"({i} - 2147483500)", True),
            (f"for (u64 {i} = 2; {i} <= 2 * (u64){n}; {i} += 2)", f"({i} / 2 - 1)", True),
            # No iterations, known late.
            (f"for ({type_} {i} = {n}; {i} < ({type_}){n}; ++{i})", i, False),
            (f"for (int {i} = {n} / 2; {i} > {n}; --{i})", i, False),
        ])

    # --- what stands around loops of threads

    def nested(self, out, pad, scope, construct, first):
        """A loop of threads within a loop, alone or in control flow that all its threads follow; returns the arrays written."""
        if self.chance(58):
            return self.loop(out, pad, scope, construct) or []
        written, reads = [], []

        def jump(here, inner_pad, jumps):
            out.append(f"{inner_pad}if ({self.leaf(here)} % {self.choice([2, 3, 5])}u == {self.choice([0, 1])}u) {self.choice(jumps)};")

        def inside(jumps=(), values=()):
            here = scope.inner(values=scope.values + list(values), reads=list(scope.reads))
            known = len(here.reads)
            inner_pad = pad + "  "
            for number in range(self.choice([1, 1, 2])):
                if jumps and self.chance(30):
                    jump(here, inner_pad, jumps)
                written.extend(self.loop(out, inner_pad, here, construct) or [])
                if self.chance(40):
                    self.write_again(out, inner_pad, here, first)
                if jumps and self.chance(30):
                    jump(here, inner_pad, jumps)
            reads.extend(here.reads[known:])

        kind = self.choice(["if", "if", "else", "else", "for", "for", "for", "down", "while", "do", "switch"])
        s = self.name("s")
        value = [f"(u32){s}"]
        if kind in ("if", "else"):
            out.append(f"{pad}if ({self.leaf(scope)} % 3u) {{")
            inside()
            if kind == "else":
                out.append(pad + "} else {")
                inside()
            out.append(pad + "}")
        elif kind in ("for", "down"):
            most = self.choice(["2", "3", f"(int)({self.leaf(scope)} % 3u)", f"(int)({self.leaf(scope)} % 4u)"])
            head = f"{s} = 0; {s} < {most}; ++{s}" if kind == "for" else f"{s} = {most}; {s} > 0; {s} -= 2"
            out.append(f"{pad}for (int {head}) {{")
            inside(["break", "continue"], value)
            out.append(pad + "}")
        elif kind == "while":
            out.append(f"{pad}int {s} = 0;")
            out.append(f"{pad}while ({s} < {self.choice([1, 2, 3])} && {self.leaf(scope)} % 5u != 1u) {{")
            out.append(f"{pad}  ++{s};")
            inside(["break", "continue"], value)
            out.append(pad + "}")
        elif kind == "do":
            out.append(f"{pad}int {s} = 0;")
            out.append(f"{pad}do {{")
            out.append(f"{pad}  ++{s};")
            inside(["break", "continue"], value)
            out.append(f"{pad}}} while ({s} < {self.choice([2, 3])} && {self.leaf(scope)} % 4u);")
        else:
            out.append(f"{pad}switch ({self.leaf(scope)} % 5u) {{")
            for label in self.choice([["case 0", "case 3"], ["case 1", "case 2", "case 4"], ["case 0", "default"], ["default", "case 1"]]):
                out.append(f"{pad} {label}: {{")
                inside(["break"])
                out.append(f"{pad} }}" + (" break;" if self.chance(70) else ""))
            out.append(pad + "}")
        scope.reads += reads
        return written

    def private_array(self, scope, name):
        """Lines that give a private array values, by one thread or by those of the loops within; its elements are values from then on."""
        i = self.name("i")
        lines = []
        level = self.choice([l for l in scope.avail if l != "gang"] + ["none"]) if scope.prefix else "none"
        if level != "none":
            lines.append(f"#pragma acc loop {level}")
        lines.append(f"for (int {i} = 0; {i} < 6; ++{i}) {name}[{i}] = {self.value(scope, 1)} + (u32){i};")
        scope.values.append(f"{name}[{self.leaf(scope, False)} % 6]")
        return lines
