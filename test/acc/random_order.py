"""Regions of random OpenACC programs whose loops promise nothing, and such over parts of arrays: what compilers and the runtime have to
find out."""


class Order:
    """Of random_text.Program."""

    def dependent(self, data, pad):
        """Loops without promises, any order of accesses: what compilers must find out."""
        arrays = [a for a in self.arrays if a.size and a.kind in ("flat", "static") and a.type != "rec"]
        if not arrays:
            return
        out = []
        inner = pad + "  "
        t = self.name("t")
        single = self.chance(25)
        out.append(f"{inner}u32 {t} = {self.constant()};")
        for _ in range(self.choice([1, 2, 3])):
            a = self.choice(arrays)
            b = self.choice(arrays)
            for x in (a, b):
                self.uses.setdefault(x, set()).update("rw" if x is a else "r")
            directive = self.choice([None, None, "loop", "loop auto"]) if not single else "loop auto"
            if len(a.dims) == 1:
                n, i = a.dims[0], self.name("i")
                c, d = self.choice([0, 0, 1, 2]), self.choice([0, 0, 1, 2, 5])
                values = [f"(u32){i}", a.value([f"{i} + {d}"]), t]
                if len(b.dims) == 1 and b.size:
                    values.append(b.value([self.choice([f"{i} % {b.dims[0]}", f"{b.dims[0]} - 1 - {i} % {b.dims[0]}"])]))
                v = f"({self.choice(values)} {self.choice('+^*')} {self.choice(values)})"
                if directive:
                    out.append(f"#pragma acc {directive}")
                down = self.chance(25)
                m = max(c, d)
                head = f"for (int {i} = {n} - {m} - 1; {i} >= 0; --{i})" if down else f"for (int {i} = 0; {i} < {n} - {m}; {i} += {self.choice([1, 1, 1, 2, 3])})"
                kind = self.random.randrange(6)
                store = a.store([f"{i} + {c}"], v)
                if kind == 0:
                    out.append(f"{inner}{head} {{ {t} = {t} * 5u + {values[1]}; " + a.store([f"{i} + {c}"], t) + " }")
                elif kind == 1 and len(b.dims) == 1:
                    place = b.value([f"{i} % {b.dims[0]}"])
                    out.append(f"{inner}{head} " + a.store([f"{place} % {n}"], v))
                elif kind == 2:
                    out.append(f"{inner}{head} if ({v} % 3u == 0) {{ {t} = {v}; {store} }}")
                elif kind == 3:
                    out.append(f"{inner}{head} {t} += {v};")
                else:
                    out.append(f"{inner}{head} {store}")
            else:
                i, j = self.name("i"), self.name("j")
                rest = ["0"] * (len(a.dims) - 2)
                offs = [self.choice([0, 0, 0, 1, 2]) for _ in range(4)]
                near = a.value([f"{i} + {offs[2]}", f"{j} + {offs[3]}"] + rest)
                other = self.choice([f"(u32){i}", f"(u32){j}", t, self.constant()])
                v = f"({near} {self.choice('+^*')} {other})"
                if directive:
                    out.append(f"#pragma acc {directive}")
                out.append(f"{inner}for (int {i} = 0; {i} < {a.dims[0]} - {max(offs[0], offs[2])}; ++{i})")
                if directive and self.chance(50):
                    out.append(f"#pragma acc {directive}")
                head = self.choice([f"for (int {j} = 0; {j} < {a.dims[1]} - {max(offs[1], offs[3])}; ++{j})",
                                    f"for (int {j} = {a.dims[1]} - {max(offs[1], offs[3])} - 1; {j} >= 0; --{j})"])
                out.append(f"{inner}  {head} " + a.store([f"{i} + {offs[0]}", f"{j} + {offs[1]}"] + rest, v))
        place = self.histograms[0]
        self.uses.setdefault(place, set()).update("rw")
        out.append(f"{inner}{place.name}[3] = {place.name}[3] * 3u + {t};")
        data.emit(out, pad, self.uses, ["num_gangs(1)"] if single else [], [], "parallel" if single else self.choice(["kernels", "kernels", "serial"]), line=None)

    def brought(self, data, pad, arrays):
        """Each is right on the device where it is present; those that are not, which are right on the host."""
        arrays = list(dict.fromkeys(arrays))
        data.settle(pad, arrays)
        absent = []
        for a in arrays:
            if data.state(a).present():
                data.to_device(pad, a)
            else:
                data.to_host(pad, a)
                absent.append(a)
        return absent

    def pointers(self, data, pad):
        """kernels over pointers into one array or two, whose parts overlap or do not."""
        flat = [a for a in self.arrays if a.kind == "flat" and a.type == "u32" and a.size > 3]
        if not flat:
            return
        a = self.choice(flat)
        b = a if self.chance(60) else self.choice(flat)
        m = self.random.randrange(1, min(a.size, b.size) + 1)
        if a is b and self.chance(40):
            m = max(1, m // 2)
        first, second = self.random.randrange(a.size - m + 1), self.random.randrange(b.size - m + 1)
        if a is b and self.chance(40):
            second = min(max(first + self.choice([-1, 0, 1, 2, m]), 0), b.size - m)
        absent = self.brought(data, pad, [a, b])
        lines = data.lines
        p, q, length, r = self.name("p"), self.name("q"), self.name("m"), self.name("r")
        self.declared.append(f"  u32 {r} = {self.constant()};")
        self.hosts.append((r, "+", "u32"))
        lines.append(f"{pad}u32 *{p} = {a.name} + dim({first}), *{q} = {b.name} + dim({second});")
        lines.append(f"{pad}const int {length} = dim({m});")
        if absent:
            lines.append(f"#pragma acc data {' '.join(f'copy({x.section()})' for x in absent)}")
            lines.append(pad + "{")
        queue = self.choice([None, None, 1, 2]) if not absent else None
        word = self.choice(["present", "copy", "copyin", None, None])
        clauses = f" {word}({p}[0:{length}], {q}[0:{length}])" if word else ""
        lines.append(f"#pragma acc kernels{clauses}" + (f" async({queue})" if queue else ""))
        lines.append(pad + "{")
        for _ in range(self.choice([1, 1, 2])):
            d, i = self.choice([-2, -1, 0, 0, 1, 2]), self.name("i")
            begin, end = max(0, -d), f"{length} - {max(0, d)}"
            heads = [f"for (int {i} = {begin}; {i} < {end}; ++{i})", f"for (long {i} = {end} - 1; {i} >= {begin}; --{i})",
                     f"for (int {i} = {begin}; {i} < {end}; {i} += 2)"]
            other = f"{q}[{i} + {d}]".replace("+ -", "- ")
            bodies = [f"{p}[{i}] = {other} * 3u + {self.constant()};", f"{p}[{i}] += {other} ^ (u32){i};", f"{{ u32 t = {other}; {p}[{i}] = t + {p}[{i}] % 7u; {r} += t; }}",
                      f"if ({other} % 3u) {p}[{i}] = {other} + 1u;", f"{r} += {other} ^ {p}[{i}];"]
            directive = self.choice([None, None, "loop", "loop auto", "loop vector", "loop gang vector auto"])
            if directive:
                lines.append(f"#pragma acc {directive}")
            lines.append(f"{pad}  {self.choice(heads)} {self.choice(bodies)}")
        lines.append(pad + "}")
        if absent:
            lines.append(pad + "}")
        for x in {a, b}:
            s = data.state(x)
            if s.present():
                s.host = False
                s.queue = queue
        if queue:
            data.scalars[r] = queue

    def sections(self, data, pad):
        """A part of an array alone is on the device: regions, updates and host code in turn."""
        fit = [a for a in self.arrays if a.kind in ("flat", "static", "vla") and a.type not in ("f64", "rec") and a.size > 1 and not data.state(a).present()]
        if not fit:
            return
        a = self.choice(fit)
        self.brought(data, pad, [a])
        low = self.random.randrange(a.values[0])
        count = self.random.randrange(1, a.values[0] - low + 1)
        row = " * ".join(a.dims[1:]) or "1"
        lines = data.lines
        lo, n = self.name("m"), self.name("m")
        lines.append(f"{pad}const int {lo} = dim({low}), {n} = dim({count});")

        def part(begin, length):
            if a.kind == "flat":
                return f"{a.name}[({begin}) * ({row}):({length}) * ({row})]"
            return f"{a.name}[{begin}:{length}]" + "".join(f"[0:{d}]" for d in a.dims[1:])

        def region(inner_pad):
            i = self.name("i")
            inner = [self.name("j") for _ in a.dims[1:]]
            word = self.choice(["present", "present", "copy", "copyin"])
            # A region may do with a part of the part.
            some = self.choice([(lo, n), (lo, f"({n} + 1) / 2"), (f"{lo} + {n} / 3", f"{n} - {n} / 3")])
            queue = self.choice(["", "", " async(2)"])
            many = f" collapse({len(a.dims)})" if inner and self.chance(50) else ""
            lines.append(f"#pragma acc {self.choice(['parallel loop', 'kernels loop independent', 'parallel loop gang vector'])}{many} {word}({part(*some)}){queue}")
            lines.append(f"{inner_pad}for (int {i} = {some[0]}; {i} < {some[0]} + {some[1]}; ++{i})")
            for j, d in zip(inner, a.dims[1:]):
                lines.append(f"{inner_pad}  for (int {j} = 0; {j} < {d}; ++{j})")
            place = a.at([i] + inner)
            lines.append(f"{inner_pad}    {place} = ({a.type})({place} * 5u + {self.constant()} + (u32){i});")
            if queue:
                lines.append("#pragma acc wait(2)")

        def on_host(inner_pad):
            begin = f"{lo} + {n} / 2"
            some = part(begin, f"{n} - {n} / 2")
            lines.append(f"#pragma acc update self({some})")
            lines.append(f"{inner_pad}{a.at([begin] + ['0'] * (len(a.dims) - 1))} += 9;")
            lines.append(f"#pragma acc update device({some})")

        unstructured = self.chance(40)
        inner_pad = pad if unstructured else pad + "  "
        lines.append(f"#pragma acc {'enter data copyin' if unstructured else 'data copy'}({part(lo, n)})")
        if not unstructured:
            lines.append(pad + "{")
        for _ in range(self.choice([1, 2, 3])):
            (on_host if self.chance(35) else region)(inner_pad)
        if not unstructured:
            lines.append(pad + "}")
        elif self.chance(30):
            lines.append(f"#pragma acc exit data copyout({part(lo, n)}) async(3)")
            lines.append("#pragma acc wait(3)")
        else:
            lines.append(f"#pragma acc exit data copyout({part(lo, n)})")
