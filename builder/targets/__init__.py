"""Where a build goes. The only modules that write files or use the network."""
