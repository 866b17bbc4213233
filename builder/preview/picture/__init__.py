"""A board, or one of its panels, as a picture: SVG or PNG, drawn by matplotlib from frame to legend."""

from builder.preview.picture.board import board_picture, panel_picture, panel_pictures

__all__ = ["board_picture", "panel_picture", "panel_pictures"]
