"""What the simulated cards, jobs and nodes do: pure functions of the seed, the place and the time."""
