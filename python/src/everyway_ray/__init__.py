"""Explores concurrent programs with everyway on all nodes of a Ray cluster.

- ``frontier``: what was explored and what is left, as the command ``everyway`` reads and writes it;
- ``slices``: how some subtrees are explored for some seconds, in a child process;
- ``driver``: hands out subtrees, and puts together what comes back;
- ``cli``: the command ``everyway-ray``.
"""

from everyway_ray.driver import Outcome, explore
from everyway_ray.frontier import Frontier

__all__ = ["Frontier", "Outcome", "explore"]
