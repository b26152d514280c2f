"""Text of random OpenACC programs, valid by construction: partitioned loops write only elements that belong to their own iteration, read
what others write only behind the loop that writes it, and host and device copies of data are kept track of (random_data.py)."""
import random

from random_data import Data
from random_head import HEAD, Array
from random_loops import Loops
from random_order import Order
from random_values import Scope, Values

SIZES = [0, 1, 2, 3, 5, 7, 8, 16, 31, 33, 40, 64, 65, 100]
LEVELS = ["gang", "worker", "vector"]


class Program(Loops, Order, Values):
    def __init__(self, seed):
        self.seed = seed
        self.random = random.Random(seed)
        self.lines = []
        self.statics = []
        self.names = 0
        self.declared = []

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def choice(self, things):
        return self.random.choice(list(things))

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    # --- loops

    def take_levels(self, avail, must_gang):
        """Levels of a loop and what is left for those within."""
        if must_gang:
            chosen = ["gang"]
            rest = avail[1:]
            while rest and self.chance(35):
                chosen.append(rest.pop(0))
            if "worker" in rest and self.chance(20) and "vector" not in chosen:
                chosen.append("vector")
                rest = []
            return chosen, rest
        if not avail:
            return [], []
        first = self.random.randrange(len(avail))
        chosen, rest = [avail[first]], avail[first + 1:]
        while rest and self.chance(30):
            chosen.append(rest.pop(0))
        return chosen, rest

    def loop(self, out, pad, scope, construct, must_gang=False, combined=None):
        """A partitioned loop over the next dimension; `combined`: what its directive begins with."""
        at = len(scope.prefix)
        levels, rest = self.take_levels(scope.avail, must_gang)
        if not levels:
            return False
        many = 1
        if at + 2 <= len(self.dims) and self.chance(25):
            many = 2
            if at + 3 <= len(self.dims) and self.chance(30):
                many = 3
        words = list(levels)
        if construct == "kernels":
            words = self.choice([["independent"], [], ["auto"], ["independent"] + levels])
        elif construct == "serial":
            words = self.choice([levels, [], ["independent"], ["seq"]])
        elif combined and self.chance(30) and "gang" in levels:
            words = []  # the compiler maps it
            rest = []
        if "gang" in words and self.chance(10) and construct == "parallel":
            words[words.index("gang")] = f"gang(static : {self.choice(['*', '1', '3', '16'])})"
        clauses = list(words)
        tiled = False
        if many > 1:
            if self.chance(35):
                tiled = True
                clauses.insert(0, f"tile({', '.join(self.choice(['2', '4', '8', '3', '*']) for _ in range(many))})")
            else:
                clauses.insert(0, f"collapse({many})")
        elif self.chance(6):
            clauses.insert(0, f"tile({self.choice([4, 16])})")
        own = list(scope.reductions)
        before = []
        if self.chance(55 if not combined else 0):
            r, first = self.reduction()
            before.append(f"{r[2]} {r[0]} = {first};")
            own.append(r)
        carried = own if (own and (self.chance(85) or len(own) > len(scope.reductions))) else []
        by = {}
        for name, op, _ in carried:
            by.setdefault(op, []).append(name)
        clauses += [f"reduction({op} : {', '.join(names)})" for op, names in by.items()]
        private = None
        free = [p for p in self.privates if p not in scope.values]
        if free and self.chance(25) and "seq" not in words:
            private = self.choice(free)
            clauses.append(f"private({private})")
        rows = [y for y in self.private_arrays if not any(v.startswith(y + "[") for v in scope.values)]
        own_array = self.choice(rows) if rows and self.chance(45 if many > 1 else 20) and "seq" not in words else None
        if own_array:
            clauses.append(f"private({own_array})")
        for line in before:
            out.append(pad + line)
        out.append(f"#pragma acc {combined or 'loop'} {' '.join(clauses)}".rstrip() + (" @CLAUSES@" if combined else ""))
        indices = []
        covers = True
        inner_pad = pad
        for k in range(many):
            header, index, all_ = self.counter(at + k, plain=many > 1 and self.chance(50))
            covers = covers and all_
            indices.append(index)
            out.append(inner_pad + header + (" {" if k == many - 1 else ""))
            inner_pad += "  "
        inside = scope.inner(values=scope.values + [f"(u32){i}" for i in indices], prefix=scope.prefix + indices, avail=rest,
                             reductions=carried if carried else [], reads=list(scope.reads))
        if own_array:
            lines = self.private_array(inside, own_array)
            out += [line if line.startswith("#") else inner_pad + line for line in lines]
        writes = self.body(out, inner_pad, inside, construct, private, tiled)
        out.append(inner_pad[2:] + "}")
        # What it wrote may be read behind it, where this worker or gang itself wrote it.
        if scope.once:
            for array in writes:
                depth = len(scope.prefix)
                prefix = list(scope.prefix)

                def read(here, array=array, prefix=prefix, depth=depth):
                    return array.value(prefix + [f"{self.choice(here.values or ['7u'])} % {d}" for d in array.dims[depth:]])
                if array.size:
                    scope.reads.append(read)
        for name, op, type_ in own:
            if (name, op, type_) not in scope.reductions:
                scope.values.append(f"(u32){name}")
        return writes

    def body(self, out, pad, scope, construct, private=None, tiled=False):
        """Statements of one iteration; returns the arrays written here or within."""
        written = []
        if private:
            out.append(f"{pad}{private} = {self.value(scope)};")
            scope.values.append(private)
        for _ in range(self.random.randrange(3)):
            t = self.name("t")
            out.append(f"{pad}u32 {t} = {self.value(scope)};")
            scope.values.append(t)
        if self.chance(12):
            q, i = self.name("q"), self.name("i")
            out.append(f"{pad}u32 {q}[4];")
            out.append(f"{pad}for (int {i} = 0; {i} < 4; ++{i}) {q}[{i}] = {self.value(scope, 1)} + (u32){i};")
            scope.values.append(f"{q}[{self.leaf(scope, False)} % 4]")
        if self.chance(12):
            w = self.name("w")
            out.append(f"{pad}u32 {w} = {self.leaf(scope)} % 50u;")
            out.append(f"{pad}while ({w} % 7u != 3u) {{ if (++{w} > 90u) break; }}")
            scope.values.append(w)
        first = self.write(out, pad, scope) if self.chance(45) else None
        if first:
            written.append(first)
        if scope.prefix and self.chance(7):
            out.append(f"{pad}if ({self.leaf(scope)} % {self.choice([2, 3, 7])}u == 1u) continue;")
        more = 0
        if scope.prefix and len(scope.prefix) < len(self.dims):
            more = self.choice([1, 1, 1, 2]) if scope.avail else self.choice([0, 1])
        for _ in range(more):
            if scope.avail and self.chance(80):
                written += self.nested(out, pad, scope, construct, first)
            else:
                header, index, _ = self.counter(len(scope.prefix))
                inside = scope.inner(values=scope.values + [f"(u32){index}"], prefix=scope.prefix + [index], avail=[])
                if self.chance(30):
                    out.append("#pragma acc loop seq")
                out.append(f"{pad}{header} {{")
                written += self.body(out, pad + "  ", inside, construct)
                out.append(pad + "}")
            if self.chance(40):
                t = self.name("t")
                out.append(f"{pad}u32 {t} = {self.value(scope)};")
                scope.values.append(t)
        if self.chance(14) and "vector" in scope.avail and construct == "parallel" and len(scope.prefix) == 1:
            written += self.call_row(out, pad, scope)
        self.write_again(out, pad, scope, first)
        if self.atomics and self.chance(20):
            self.atomic(out, pad, scope)
        for r in scope.reductions:
            if self.chance(75):
                guard = f"if ({self.leaf(scope)} % 4u) " if self.chance(20) else ""
                out.append(f"{pad}{guard}{self.contribute(r, scope)}")
        return written

    def rows_for(self, scope):
        return [a for a in self.writable if a.type == "u32" and a.kind == "flat" and len(a.dims) == 2 and a not in self.taken]

    def call_row(self, out, pad, scope):
        """A routine of lanes over a row of an array; returns what it writes."""
        t = self.name("t")
        rows = [a for a in self.readable if a.type == "u32" and a.kind == "flat" and len(a.dims) == 2 and a.size]
        if rows and self.chance(50):
            array = self.choice(rows)
            self.uses.setdefault(array, set()).add("r")
            row = f"{self.leaf(scope, False)} % {array.dims[0]}"
            around = f"for (int {t}_ = 0; {t}_ < (int)({self.leaf(scope)} % 3u); ++{t}_) " if self.chance(30) else ""
            out.append(f"{pad}u32 {t} = 0;")
            out.append(f"{pad}{around}{t} = peek_of({array.name} + ({row}) * {array.dims[1]}, {array.dims[1]}, {self.leaf(scope)});")
            scope.values.append(t)
            return []
        rows = self.rows_for(scope)
        if not rows:
            return []
        array = self.choice(rows)
        self.taken.add(array)
        self.uses.setdefault(array, set()).update("rw")
        out.append(f"{pad}u32 {t} = row_of({array.name} + ({scope.prefix[0]}) * {array.dims[1]}, {array.dims[1]}, {self.leaf(scope)});")
        scope.values.append(t)
        return [array]

    def write(self, out, pad, scope):
        """A store to an element of one's own."""
        arrays = [a for a in self.writable if len(a.dims) == len(scope.prefix) and a not in self.taken]
        if not arrays or not scope.once:
            return None
        array = self.choice(arrays)
        self.taken.add(array)
        self.uses.setdefault(array, set()).update("rw")
        out.append(pad + array.store(scope.prefix, self.value(scope)))
        scope.reads.append(lambda here, array=array, prefix=list(scope.prefix): array.value(prefix))
        return array

    def write_again(self, out, pad, scope, array):
        if array is not None and self.chance(40):
            out.append(pad + array.store(scope.prefix, self.value(scope), add=self.chance(50)))

    def atomic(self, out, pad, scope):
        array, op = self.choice(self.atomics)
        self.uses.setdefault(array, set()).update("rw")
        place = f"{array.name}[{self.leaf(scope, False)} % {array.dims[0]}]"
        v = self.value(scope, 1)
        if op == "count":
            t = self.name("c")
            out.append(f"{pad}u32 {t};")
            out.append("#pragma acc atomic capture")
            out.append(pad + self.choice([f"{t} = {place}++;", f"{{ {t} = {place}; {place} += 1; }}"]).replace(place, f"{array.name}[0]"))
            out.append("#pragma acc atomic")
            out.append(f"{pad}{array.name}[1] += {t};")
            return
        out.append(self.choice(["#pragma acc atomic update", "#pragma acc atomic"]))
        out.append(pad + self.choice([f"{place} {op}= {v};", f"{place} = {place} {op} ({v});"]) if op in "+&|^*" else f"{pad}{place}++;")

    # --- regions

    def region(self, data, pad):
        self.uses = {}
        self.taken = set()
        arrays = list(self.arrays)
        self.random.shuffle(arrays)
        cut = self.random.randrange(1, len(arrays))
        self.writable, self.readable = arrays[:cut], arrays[cut:]
        self.atomics = []
        if self.chance(40):
            self.atomics = [(self.choice(self.histograms), self.choice(["+", "^", "|", "&", "*", "count"]))]
        if self.chance(25):
            return self.dependent(data, pad)
        construct = self.choice(["parallel"] * 6 + ["kernels"] * 2 + ["serial"])
        out = []
        scope = Scope(values=[s for s in self.scalars] or ["3u"])
        gangs = self.choice([None, 1, 1, 2, 3, 5, 8])
        workers = self.choice([None, None, 1, 2, 3, 4, 8])
        lanes = self.choice([None, None, 1, 32, 32, 64, 96, 128])
        geometry = []
        if construct != "serial":
            geometry = [f"{w}({v})" for w, v in (("num_gangs", gangs), ("num_workers", workers), ("vector_length", lanes)) if v]
        reductions = []
        for _ in range(self.choice([0, 0, 1, 1, 2])):
            r, first = self.reduction()
            self.hosts.append(r)
            self.declared.append(f"  {r[2]} {r[0]} = {first};")
            reductions.append(r)
        scope.avail = list(LEVELS)
        if self.chance(55):
            scope.reductions = reductions
            self.loop(out, pad, scope, construct, must_gang=True, combined=f"{construct} loop")
            data.emit(out, pad, self.uses, geometry, [r[0] for r in reductions], construct, line=0)
            return
        single = gangs == 1 or construct != "parallel"
        if single and construct == "parallel":
            scope.avail = self.choice([list(LEVELS), ["worker", "vector"]])
        inner = pad + "  "
        for _ in range(self.random.randrange(3)):
            t = self.name("g")
            out.append(f"{inner}u32 {t} = {self.value(scope, 1)};")
            scope.values.append(t)
        if self.chance(30):
            q, i = self.name("q"), self.name("i")
            out.append(f"{inner}u32 {q}[6];")
            out.append(f"{inner}for (int {i} = 0; {i} < 6; ++{i}) {q}[{i}] = {self.leaf(scope)} * (u32)({i} + 1);")
            scope.values.append(f"{q}[{self.leaf(scope, False)} % 6]")
        # Behind a gang loop others may still be at work on what it wrote; values of reductions are known at the end.
        for number in range(self.choice([1, 1, 2, 3])):
            mine = [reductions[number]] if number < len(reductions) else []
            here = scope.inner(values=list(scope.values), reads=[] if not single else list(scope.reads), reductions=mine, once=True)
            self.loop(out, inner, here, construct, must_gang=not single or (construct == "parallel" and scope.avail[0] == "gang" and self.chance(50)))
            if single:
                scope.reads += here.reads[len(scope.reads):] if construct != "parallel" or gangs == 1 else []
            if self.chance(30):
                t = self.name("g")
                alone = scope if single else scope.inner(reads=[])
                out.append(f"{inner}u32 {t} = {self.value(alone, 1)};")
                scope.values.append(t)
        if self.chance(10) and construct == "parallel" and scope.avail[0] == "gang":
            flat = [a for a in self.writable if a.kind == "flat" and a.type == "u32" and len(a.dims) == 3 and a not in self.taken]
            if flat:
                a, i = self.choice(flat), self.name("i")
                self.taken.add(a)
                self.uses.setdefault(a, set()).update("rw")
                out.append("#pragma acc loop gang")
                called = self.choice(["plane_of", "rows_of"])
                out.append(f"{inner}for (int {i} = 0; {i} < {a.dims[0]}; ++{i}) {called}({a.name} + {i} * {a.dims[1]} * {a.dims[2]}, {a.dims[1]}, {a.dims[2]}, {self.constant()});")
        if self.chance(6) and construct == "parallel" and scope.avail[0] == "gang":
            flat = [a for a in self.writable if a.kind == "flat" and a.type == "u32" and a not in self.taken]
            if flat:
                a = self.choice(flat)
                self.taken.add(a)
                self.uses.setdefault(a, set()).update("rw")
                out.append(f"{inner}grid_of({a.name}, {a.count()}, {self.constant()});")
        used = [r[0] for r in reductions]
        data.emit(out, pad, self.uses, geometry, used, construct, line=None, explicit=used if construct != "kernels" else [])

    # --- the program

    def text(self):
        shape = [self.choice(SIZES) for _ in range(3)]
        while shape[0] * max(shape[1], 1) * max(shape[2], 1) > 1500:
            k = shape.index(max(shape))
            shape[k] = self.choice([s for s in SIZES if s < shape[k]])
        me = f"p{self.seed}"
        lines = self.lines
        pad = "  "
        self.dims = ["n0", "n1", "n2"]
        for d, v in zip(self.dims, shape):
            lines.append(f"{pad}const int {d} = dim({v});")
        self.arrays, frees = [], []
        for _ in range(self.random.randrange(4, 8)):
            rank = self.choice([1, 1, 2, 2, 3])
            kind = self.choice(["flat", "flat", "flat", "static", "vla" if rank > 1 else "flat", "rows" if rank == 2 and all(shape[:2]) else "flat"])
            type_ = self.choice(["u32", "u32", "u32", "u16", "u64", "f64", "rec"])
            name = self.name("a")
            dims, values = self.dims[:rank], shape[:rank]
            if kind == "rows":
                type_ = "u32"
            if kind in ("static", "vla") and not all(values):
                kind = "flat"
            a = Array(name, kind, type_, dims, values)
            bytes_ = f"sizeof({type_}) * (size_t)({a.count()})"
            if kind == "static":
                self.statics.append(f"static {type_} {me}_{name}{''.join(f'[{v}]' for v in values)};")
                lines.append(f"#define {name} {me}_{name}")
            elif kind == "vla":
                lines.append(f"{pad}{type_} (*{name}){''.join(f'[{d}]' for d in dims[1:])} = malloc({bytes_});")
                frees.append(f"free({name});")
            elif kind == "rows":
                i = self.name("i")
                lines.append(f"{pad}u32 **{name} = malloc(sizeof(u32 *) * (size_t)n0);")
                lines.append(f"{pad}for (int {i} = 0; {i} < n0; ++{i}) {{ {name}[{i}] = malloc(sizeof(u32) * (size_t)n1); fill({name}[{i}], sizeof(u32) * (size_t)n1, {self.random.randrange(99)}u + (u32){i}); }}")
                frees.append(f"for (int i = 0; i < n0; ++i) free({name}[i]); free({name});")
            else:
                lines.append(f"{pad}{type_} *{name} = malloc({bytes_} + 8);")
                frees.append(f"free({name});")
            if kind != "rows":
                lines.append(f"{pad}fill_f64((f64 *){name}, (size_t)({a.count()}), {self.random.randrange(999)}u);" if type_ == "f64" else f"{pad}memset({name}, 0, {bytes_});" if type_ == "rec" else f"{pad}fill({name}, {bytes_}, {self.random.randrange(999)}u);")
            self.arrays.append(a)
        self.histograms = []
        for _ in range(2):
            name = self.name("h")
            self.histograms.append(Array(name, "static", "u32", ["16"], [16]))
            lines.append(f"{pad}u32 {name}[16];")
            lines.append(f"{pad}fill({name}, sizeof {name}, {self.random.randrange(99)}u);")
        self.scalars, self.privates, self.hosts = [], [], []
        for _ in range(3):
            s = self.name("s")
            lines.append(f"{pad}u32 {s} = {self.constant()};")
            self.scalars.append(s)
        for _ in range(self.random.randrange(3)):
            p = self.name("x")
            lines.append(f"{pad}u32 {p} = 5;")
            self.privates.append(p)
        self.private_arrays = []
        for _ in range(self.random.randrange(3)):
            y = self.name("y")
            lines.append(f"{pad}u32 {y}[6];")
            self.private_arrays.append(y)
        head = len(lines)
        data = Data(self, lines)
        data.block(pad, 0, self.random.randrange(4, 8))
        data.finish(pad)
        lines[head:head] = self.declared
        for a in self.arrays:
            if a.kind == "rows":
                i = self.name("i")
                lines.append(f'{pad}for (int {i} = 0; {i} < n0; ++{i}) printf("{me} {a.name} %d %08x\\n", {i}, hash_of({a.name}[{i}], sizeof(u32) * (size_t)n1));')
            else:
                lines.append(f'{pad}printf("{me} {a.name} %08x\\n", hash_of({a.name}, sizeof({a.type}) * (size_t)({a.count()})));')
        for h in self.histograms:
            lines.append(f'{pad}printf("{me} {h.name} %08x\\n", hash_of({h.name}, sizeof {h.name}));')
        for name, op, type_ in self.hosts:
            lines.append(f'{pad}printf("{me} {name} %.17g\\n", (double){name});')
        lines += [pad + f for f in frees]
        undo = [f"#undef {s.split('_')[-1].split('[')[0].rstrip(';')}" for s in self.statics]
        return "\n".join(self.statics + [f"static void {me}(void) {{"] + lines + ["}"] + undo) + "\n"


def file_text(seeds):
    texts = [Program(seed).text() for seed in seeds]
    main = "int main(void) {\n" + "".join(f"  p{s}();\n" for s in seeds) + "  return 0;\n}\n"
    return HEAD + "\n".join(texts) + main
