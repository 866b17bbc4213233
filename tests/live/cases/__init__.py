"""Known answers on simulated fleets: every panel of every board, with every fault that can be planted.

``planted`` says which fleets there are, ``signs`` which panels each fault must show on, and as what; ``readings``
says for every panel how the truth of a fleet becomes what the panel shows. See docs/testing.md.
"""
