"""The commands, a module each; `culdesac.cli` loads the one that is asked for."""
