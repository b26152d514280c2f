"""Data of random OpenACC programs: which copy of what is right, and the directives that keep the one right that is needed next."""


class State:
    def __init__(self):
        self.dynamic = 0  # enter data without exit
        self.structured = 0
        self.host = True  # the host's copy is right
        self.device = False  # the device's copy is right, where it is present
        self.queue = None  # where work on it may still wait

    def present(self):
        return self.dynamic + self.structured > 0


class Data:
    def __init__(self, program, lines):
        self.program, self.lines = program, lines
        self.states = {a: State() for a in program.arrays + program.histograms}
        self.scalars = {}  # reduction variables by queue

    def state(self, array):
        return self.states[array]

    # --- queues

    def wait_for(self, pad, queues, on=None):
        """Everything given to these queues is done before what comes next (on a queue: before what it gets next)."""
        program = self.program
        queues = sorted({q for q in queues if q is not None and q != on})
        if not queues:
            return ""
        listed = ", ".join(map(str, queues))
        kind = program.random.randrange(4)
        if kind == 0:
            if on is None:
                self.forget(queues)
            return f" wait({listed})"
        if kind == 1 and on is not None:
            self.lines.append(f"#pragma acc wait({listed}) async({on})")
            return ""
        if kind == 2:
            self.lines.append("#pragma acc wait")
            self.forget(None)
            return ""
        self.lines.append(f"#pragma acc wait({listed})")
        self.forget(queues)
        return ""

    def forget(self, queues):
        for s in self.states.values():
            if queues is None or s.queue in queues:
                s.queue = None
        self.scalars = {} if queues is None else {n: q for n, q in self.scalars.items() if q not in queues}

    def settle(self, pad, arrays):
        """No work on these waits any more."""
        text = self.wait_for(pad, [self.state(a).queue for a in arrays])
        if text:
            queues = text[text.index("(") + 1:-1]
            self.lines.append(f"#pragma acc wait({queues})")

    # --- copies

    def to_device(self, pad, array):
        s = self.state(array)
        if s.present() and not s.device:
            self.settle(pad, [array])
            if array.kind == "flat" and array.size > 4 and self.program.chance(30):
                n = array.count()
                half = f"({n}) / {self.program.choice([2, 3])}"
                self.lines.append(f"#pragma acc update device({array.name}[0:{half}])")
                self.lines.append(f"#pragma acc update device({array.name}[{half}:{n} - {half}])")
            else:
                self.lines.append(f"#pragma acc update device({array.section()})")
            s.device = True

    def to_host(self, pad, array):
        s = self.state(array)
        if not s.host:
            self.settle(pad, [array])
            word = self.program.choice(["self", "host"])
            self.lines.append(f"#pragma acc update {word}({array.section()})")
            s.host = True

    # --- what a program consists of

    def block(self, pad, depth, count):
        program = self.program
        for _ in range(count):
            kind = program.random.randrange(100)
            if kind < 50:
                program.region(self, pad)
            elif kind < 54:
                program.pointers(self, pad)
            elif kind < 58:
                program.sections(self, pad)
            elif kind < 66:
                self.host_work(pad)
            elif kind < 72:
                s = program.choice(program.scalars)
                self.lines.append(f"{pad}{s} = {s} * 3u + {program.constant()};")
            elif kind < 82:
                self.enter(pad)
            elif kind < 88:
                self.leave(pad)
            elif kind < 90:
                array = program.choice(program.arrays)
                if array.kind != "rows":
                    s = self.state(array)
                    if s.host and (s.device or not s.present()):
                        self.settle(pad, [array])
                        queue = program.choice([None, 1, 2])
                        self.lines.append(f"#pragma acc update {program.choice(['self', 'device'])}({array.section()}) if_present" + (f" async({queue})" if queue else ""))
                        s.queue = queue
            elif depth < 2:
                self.structured(pad, depth)

    def structured(self, pad, depth):
        program = self.program
        chosen = program.random.sample(program.arrays, program.random.randrange(1, min(4, len(program.arrays)) + 1))
        self.settle(pad, chosen)
        clauses, kinds = [], {}
        for a in chosen:
            s = self.state(a)
            word = program.choice(["copy", "copy", "copyin", "copyout", "create"] + (["present", "no_create"] if s.present() else []))
            if not s.present() and a.kind == "rows" and word in ("copyout", "create"):
                word = "copy"
            if word in ("present", "no_create") and a.kind == "rows":
                word = "copy"
            kinds[a] = word
            clauses.append(f"{word}({a.section()})")
        for a in chosen:
            s = self.state(a)
            if not s.present():
                s.device = kinds[a] in ("copy", "copyin")
            s.structured += 1
        program.random.shuffle(clauses)
        self.lines.append(f"#pragma acc data {' '.join(clauses)}")
        self.lines.append(pad + "{")
        outer = self.lines
        self.block(pad + "  ", depth + 1, program.random.randrange(2, 5))
        for a in chosen:
            s = self.state(a)
            last = s.dynamic + s.structured == 1
            if last:
                if kinds[a] in ("copy", "copyout"):
                    self.to_device(pad + "  ", a)
                else:
                    self.to_host(pad + "  ", a)
        self.settle(pad, chosen)
        for a in chosen:
            s = self.state(a)
            s.structured -= 1
            if not s.present():
                s.host, s.device = True, False
        outer.append(pad + "}")

    def enter(self, pad):
        program = self.program
        array = program.choice(program.arrays)
        s = self.state(array)
        if array.kind == "rows" and s.present():
            return
        self.settle(pad, [array])
        word = program.choice(["copyin", "copyin", "create"]) if array.kind != "rows" else "copyin"
        queue = program.choice([None, None, None, 1, 2])
        if not s.present():
            s.device = word == "copyin"
        s.dynamic += 1
        if queue:
            s.queue = queue
        self.lines.append(f"#pragma acc enter data {word}({array.section()})" + (f" async({queue})" if queue else ""))

    def leave(self, pad, array=None, all_=False):
        program = self.program
        arrays = [a for a in self.states if self.states[a].dynamic > 0]
        if not arrays:
            return
        array = array or program.choice(arrays)
        s = self.state(array)
        self.settle(pad, [array])
        final = s.structured == 0 and program.chance(25)
        last = s.structured == 0 and (s.dynamic == 1 or final)
        word = program.choice(["copyout", "delete"])
        if last:
            if word == "copyout":
                self.to_device(pad, array)
            else:
                self.to_host(pad, array)
        s.dynamic = 0 if final else s.dynamic - 1
        if not s.present():
            s.host, s.device = True, False
        self.lines.append(f"#pragma acc exit data {word}({array.section()})" + (" finalize" if final else ""))

    def finish(self, pad):
        for a, s in self.states.items():
            while s.dynamic:
                self.leave(pad, a)
        self.lines.append("#pragma acc wait")
        self.forget(None)

    def host_work(self, pad):
        program = self.program
        arrays = [a for a in program.arrays if a.kind != "rows" and a.type not in ("f64", "rec")]
        if not arrays:
            return
        array = program.choice(arrays)
        self.settle(pad, [array])
        self.to_host(pad, array)
        s = self.state(array)
        s.device = False
        i = program.name("i")
        self.lines.append(f"{pad}for (int {i} = 0; {i} < (int)({array.count()}); {i} += {program.choice([1, 2])}) (({array.type} *){array.name})[{i}] += ({array.type})({i} + {program.random.randrange(50)});")

    # --- regions

    def emit(self, out, pad, uses, geometry, reductions, construct, line=None, explicit=()):
        """Writes a region: its directive with data clauses, and what has to happen before it."""
        program = self.program
        if not out:
            return
        used = [a for a in self.states if a in uses]
        queue = program.choice([None, None, None, None, 1, 2, 3])
        on_host = program.chance(6)
        if on_host:
            queue = None
        waits = {self.states[a].queue for a in used} | {self.scalars.get(r) for r in reductions}
        waiting = self.wait_for(pad, waits, queue)
        clauses = list(geometry)
        if on_host:
            for a in used:
                self.settle(pad, [a])
                self.to_host(pad, a)
            if waiting:
                self.lines.append(f"#pragma acc{waiting}")
                waiting = ""
            clauses.append(program.choice(["if(0)", f"if({program.scalars[0]} == {program.scalars[0]} + 1u)", "self", f"self({program.scalars[1]} <= 4294967295u)"]))
        elif program.chance(8):
            clauses.append(program.choice(["if(1)", f"if({program.scalars[0]} + 1u != {program.scalars[0]})", "self(0)"]))
        listed = {}
        for a in used:
            s = self.states[a]
            writes = "w" in uses[a]
            if not on_host:
                if s.present():
                    if not s.device:
                        if waiting:  # the update comes before the region, so must the wait
                            self.lines.append(f"#pragma acc{waiting}")
                            waiting = ""
                        self.to_device(pad, a)
                else:
                    self.to_host(pad, a)
            if s.present():
                word = program.choice(["present", "copy", "copyin", "copyout", "create", None, None])
                if a.kind == "rows":
                    word = program.choice(["present", "copy"])
                if a.kind == "vla" and word is None:
                    word = "present"
            elif writes:
                word = "copy" if a.kind != "static" or program.chance(60) else None
            else:
                word = program.choice(["copy", "copyin"]) if a.kind != "static" or program.chance(60) else None
            if on_host and word == "present" and not s.present():
                word = "copy"
            if word:
                listed.setdefault(word, []).append(a.section())
            if writes:
                if on_host:
                    s.device = False
                elif s.present():
                    s.host = False
            s.queue = queue
        clauses += [f"{w}({', '.join(names)})" for w, names in listed.items()]
        if explicit:
            clauses.append(f"copy({', '.join(explicit)})")
        for r in reductions:
            if queue is not None:
                self.scalars[r] = queue
            else:
                self.scalars.pop(r, None)
        program.random.shuffle(clauses)
        if queue is not None:
            clauses.append(f"async({queue})")
        text = " ".join(clauses) + waiting
        if line is not None:
            place = next(i for i, l in enumerate(out) if "@CLAUSES@" in l)
            out[place] = out[place].replace("@CLAUSES@", text)
            self.lines += out
            return
        self.lines.append(f"#pragma acc {construct} {text}")
        self.lines.append(pad + "{")
        self.lines += out
        self.lines.append(pad + "}")
