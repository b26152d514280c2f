"""database.py FOLDER FILE...: writes FOLDER/compile_commands.json for the files."""
import json
import os
import sys

folder = os.path.abspath(sys.argv[1])
os.makedirs(folder, exist_ok=True)
with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as out:
    json.dump([{"directory": folder, "file": os.path.abspath(f), "command": f"nvcc -c {os.path.abspath(f)}"} for f in sys.argv[2:]], out)
