"""How quick, small and frugal gpuboards is, measured as ratios to other programs. ``scripts/bench`` runs it."""
