"""How a server is reached over HTTP, whichever it is: secrets, TLS, proxies, time limits, many requests at once."""
