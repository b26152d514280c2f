"""Prints a file without hone's marks, for tests about what stands between them (test/lit/marks is about the marks themselves)."""
import re
import sys

text = open(sys.argv[1], newline="").read()
text = re.sub(r"/\* hone: was [0-9a-f]{12}: .*? \*/ ", "", text, flags=re.S)
launch = None  # as far as its comment was read
for line in text.splitlines(keepends=True):
    was = re.match(r"\s*// hone: was [0-9a-f]{12}: ", line)
    if was or launch is not None:
        launch = line[was.end():] if was else launch + line
        whole = launch.count("(") == launch.count(")") and ("<<<" not in launch or re.search(r">>>.*\(", launch, flags=re.S))
        launch = None if whole else launch
        continue
    if not re.match(r"\s*// hone: (begin,|end [0-9a-f]{12})", line):
        sys.stdout.write(line)
