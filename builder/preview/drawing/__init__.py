"""What matplotlib draws: one module for each kind of picture, and the only importers of matplotlib beside ``picture``."""
