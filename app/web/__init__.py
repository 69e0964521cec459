"""The Flask shell: it is given what it serves, and adds identity, errors, limits and health."""
