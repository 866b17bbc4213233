"""The boards. One file a board, declarations only; questions come from builder.queries."""
