"""Whether the known answers would notice a wrong query: ``python -m tests.mutations``.

Each mutation makes one expression of ``builder/queries`` wrong, in a copy of the project, and then the tests
that work out answers are run against it: promtool's idioms, the simulated fleets, the recorded ones. Nothing else
counts as a catch: golden files, and tests that compare the text of expressions, change with anything.
"""
