# SPDX-License-Identifier: MIT
"""Sums of well-known libraries, for reductio --exec: python3 sums.py numpy | fsum | torch | cupy | jax | numba.

Each adapter is a module NAME_sums.py beside this file with a function rows() -> dict, the arguments of serve()."""
import importlib
import os
import sys

sys.dont_write_bytecode = True  # an installed folder is not to be written to
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import reductio_exec  # noqa: E402, from the folder of this file


def main(arguments):
    folder = os.path.dirname(os.path.abspath(__file__))
    names = sorted(name[:-len("_sums.py")] for name in os.listdir(folder) if name.endswith("_sums.py"))
    if len(arguments) != 1 or arguments[0] not in names:
        raise SystemExit("sums.py wants the name of one library: %s." % ", ".join(names))
    descriptors = reductio_exec.take_standard_streams()  # before a library prints as it is imported
    try:
        served = importlib.import_module(arguments[0] + "_sums").describe()
    except ImportError as error:
        reductio_exec.say_absent(arguments[0], str(error), descriptors)
        return
    reductio_exec.serve(descriptors=descriptors, **served)


main(sys.argv[1:])
