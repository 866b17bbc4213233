"""``python -m builder.cli`` is ``gpuboards``."""

from builder.cli import main

main()
