"""Values of random OpenACC programs: expressions, and contributions to reductions."""

OPERATORS = ["+", "+", "+", "*", "max", "min", "&", "|", "^", "&&", "||"]


class Scope:
    """What a statement of a region may use."""

    def __init__(self, values, prefix=(), reads=(), avail=(), reductions=(), once=True):
        self.values = list(values)  # unsigned expressions
        self.prefix = list(prefix)  # own indices, one for each partitioned loop around
        self.reads = list(reads)  # functions that make reads of what this region has written
        self.avail = list(avail)  # levels that loops within may use
        self.reductions = list(reductions)  # (name, operator, type)
        self.once = once  # a statement here runs once for each value of the prefix

    def inner(self, **changes):
        fields = dict(values=self.values, prefix=self.prefix, reads=self.reads, avail=self.avail, reductions=self.reductions, once=self.once)
        fields.update(changes)
        return Scope(**fields)


class Values:
    """Of random_text.Program: what may stand in its statements."""

    # --- expressions

    def constant(self):
        return f"{self.choice([0, 1, 2, 3, 7, 13, 100, 255, 65537, self.random.randrange(1 << 32)])}u"

    def read(self, scope):
        if scope.reads and self.chance(40):
            return self.choice(scope.reads)(scope)
        arrays = [a for a in self.readable if a.size]
        if not arrays:
            return self.choice(scope.values)
        array = self.choice(arrays)
        self.uses.setdefault(array, set()).add("r")
        indices = []
        for at, d in enumerate(array.dims):
            if at < len(scope.prefix) and self.chance(60):
                indices.append(scope.prefix[at])
            else:
                indices.append(f"{self.leaf(scope, False)} % {d}")
        return array.value(indices)

    def leaf(self, scope, reads=True):
        kind = self.random.randrange(10)
        if reads and kind < 4:
            return self.read(scope)
        if scope.values and kind < 9:
            return self.choice(scope.values)
        return self.constant()

    def value(self, scope, depth=2):
        if depth == 0 or self.chance(15):
            return self.leaf(scope)
        a, b = self.value(scope, depth - 1), self.value(scope, depth - 1)
        kind = self.random.randrange(12)
        if kind < 8:
            return f"({a} {'+-*^&|+-'[kind]} {b})"
        if kind == 8:
            return f"({a} >> {self.random.randrange(1, 9)})"
        if kind == 9:
            return f"({a} < {b} ? {self.leaf(scope)} : {b})"
        if kind == 10:
            return f"mix({a}, {b})"
        return f"({a} % {self.choice([3, 7, 10])}u == 1u ? {b} : pick({b}, {a}, {self.leaf(scope)}))"

    # --- reductions

    def reduction(self, host=False):
        op = self.choice(OPERATORS)
        type_ = self.choice(["u32", "u32", "u64", "int", "f64"] if op in ("+", "max", "min") else ["u32", "u64"] if op == "*" else ["u32", "u64", "u16"] if op in "&|^" else ["int", "u32"])
        first = {"+": self.random.randrange(9), "*": self.choice([1, 3]), "max": self.random.randrange(50), "min": self.random.randrange(2000, 5000),
                 "&": self.choice([65535, 4095, 61423]), "|": self.random.randrange(64), "^": self.random.randrange(999), "&&": self.choice([0, 1, 1]),
                 "||": self.choice([0, 0, 1])}[op]
        return (self.name("r"), op, type_), first

    def contribute(self, reduction, scope):
        name, op, type_ = reduction
        v = self.value(scope, 1)
        small = f"({type_})(({v}) & 4095u)" + (" * 0.25" if type_ == "f64" else "")
        if op == "+":
            return self.choice([f"{name} += {small};", f"{name} = {name} + {small};"])
        if op == "*":
            return f"{name} *= ({type_})(({v}) | 1u);"
        if op in ("max", "min"):
            sign = ">" if op == "max" else "<"
            t = self.name("v")
            return self.choice([f"{{ {type_} {t} = {small}; {name} = {t} {sign} {name} ? {t} : {name}; }}", f"{{ {type_} {t} = {small}; if ({t} {sign} {name}) {name} = {t}; }}"])
        if op in ("&", "|", "^"):
            wide = {"&": f"({v}) | 4096u", "|": f"({v}) & 21845u", "^": v}[op]
            return self.choice([f"{name} {op}= ({type_})({wide});", f"{name} = ({type_})({name} {op} ({type_})({wide}));"])
        return f"{name} = {name} {op} (({v}) % 64u {'!=' if op == '&&' else '=='} {self.random.randrange(64)}u);"
