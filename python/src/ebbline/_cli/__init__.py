"""The command line as a host of its commands: it answers what they ask for, and says and decides nothing itself."""
