"""What matplotlib draws, one module for each kind of picture. Only this package and ``picture`` import it."""
