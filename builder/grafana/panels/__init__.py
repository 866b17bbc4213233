"""The panels that a board is made of, a module for each family; importing one does not import the others."""
