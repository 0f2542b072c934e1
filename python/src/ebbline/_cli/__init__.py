"""The command line, with the words, the bytes and the exit codes of ``npx ebbline``.

Nothing is decided here: the component answers, and these files read arguments and files and write what it said.
"""
