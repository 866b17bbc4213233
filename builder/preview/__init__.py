"""Pictures of a dashboard as Grafana would lay it out, without a Grafana.

    board = board_of(dashboard, opened, begin=begin, end=end)   # pure: layout, units, colours, words
    page(board)                                                 # one HTML document that needs no network
    picture(board, THEMES["dark"])                              # SVG or PNG, of all of it or of one panel

``opened`` has the answers to the queries, in the shape of ``builder.preview.results``: this package asks nobody.
matplotlib draws; it comes with the extra ``preview``.
"""

from builder.preview.colours import THEMES, Theme
from builder.preview.opened import Board, board_of

__all__ = ["THEMES", "Board", "Theme", "board_of"]
