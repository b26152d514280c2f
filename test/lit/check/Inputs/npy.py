"""Writes an array of six floats as NumPy does, and checks what came of it, without NumPy."""
import struct
import sys

values = [0.5, -1.0, 2.0, 3.25, 0.0, 8.0]
if sys.argv[1] == "write":
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
    header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
    with open(sys.argv[2], "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack("<6f", *values))
else:
    doubled = open(sys.argv[2], "rb").read()
    assert b"'descr': '<f4'" in doubled and b"'shape': (6,)" in doubled, doubled[:100]
    assert struct.unpack("<6f", doubled[-24:]) == tuple(2 * v for v in values), doubled[-24:]
    assert open(sys.argv[3], "rb").read() == struct.pack("<6f", *values)
