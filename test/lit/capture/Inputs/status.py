"""status.py STATUS COMMAND...: whether a command ends with this exit status."""

import subprocess
import sys

sys.exit(subprocess.run(sys.argv[2:]).returncode != int(sys.argv[1]))
