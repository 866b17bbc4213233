"""Which names a module assigns itself, and on which line, read off its compiled code.

A syntax tree tells the same, but making one takes several times as long as running the file does.
"""

from __future__ import annotations

from opcode import opmap
from types import CodeType

_STORE_NAME, _IMPORT_FROM, _EXTENDED_ARG = (opmap[name] for name in ("STORE_NAME", "IMPORT_FROM", "EXTENDED_ARG"))


def assignments(code: CodeType) -> dict[str, int]:
    """Each name that is assigned at module level, with the index of the instruction that does it last.

    In the order of the first assignments. What ``from ... import`` brings in is not the module's own.
    """
    found: dict[str, int] = {}
    # An instruction is an opcode and one byte of argument; EXTENDED_ARG in front carries the higher bytes.
    opcodes, arguments = code.co_code[::2], code.co_code[1::2]
    index = opcodes.find(_STORE_NAME)
    while index >= 0:
        first = index
        while first and opcodes[first - 1] == _EXTENDED_ARG:
            first -= 1
        if not first or opcodes[first - 1] != _IMPORT_FROM:
            name = code.co_names[int.from_bytes(arguments[first : index + 1], "big")]
            found[name] = index
        index = opcodes.find(_STORE_NAME, index + 1)
    return found


def line_of(code: CodeType, index: int) -> int:
    """The source line of an instruction."""
    offset = 2 * index
    return next((line for _, end, line in code.co_lines() if offset < end and line), code.co_firstlineno)
