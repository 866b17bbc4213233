"""A board as one HTML document: no script, nothing from elsewhere, light and dark, on wide and narrow screens."""

from builder.preview.page.document import page
from builder.preview.page.frame import complaint
from builder.preview.page.index import index

__all__ = ["complaint", "index", "page"]
