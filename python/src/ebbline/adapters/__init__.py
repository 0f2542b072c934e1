"""Adapters for agent libraries, one module each. None is imported by ebbline itself."""
