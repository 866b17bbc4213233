"""The program that ``ahead`` starts: compiles the files that standard input names, and writes their code.

Each as four bytes of length and what ``marshal`` makes of it. The length is 0 where a file does not compile without
a word, which is for whoever runs it to say. Imports nothing of ours, so that it starts at once.
"""

from __future__ import annotations

import marshal
import sys
import warnings


def main(encoding: str) -> None:
    """Compile file by file, for as long as somebody reads; names are in the encoding."""
    warnings.simplefilter("error")
    for name in sys.stdin.buffer.read().split(b"\0"):
        code = _compiled(name, name.decode(encoding, "surrogateescape"))
        sys.stdout.buffer.write(len(code).to_bytes(4, "little") + code)
        sys.stdout.buffer.flush()


def _compiled(file: bytes, name: str) -> bytes:
    try:
        with open(file, "rb") as source:  # noqa: PTH123  to import pathlib takes longer than to compile ten files
            return marshal.dumps(compile(source.read(), name, "exec", dont_inherit=True))
    except Exception:  # whatever it is, it comes again where it can be explained
        return b""


if __name__ == "__main__":
    main(sys.argv[1])
