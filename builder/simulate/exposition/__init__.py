"""How the exporters say it: exposition text, spelled by the catalogue's profiles."""
