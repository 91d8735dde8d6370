# SPDX-License-Identifier: MIT
"""Python's own sums: math.fsum, and the built-in sum().

math.fsum keeps non-overlapping partial sums (Shewchuk 1997) and rounds once, half to even. It raises OverflowError
where a partial sum overflows and ValueError for inf - inf; the infinity or NaN that stands for these elsewhere is answered.
The built-in sum() of floats is a loop of additions up to Python 3.11 and compensated (Neumaier) from 3.12 on."""
import math
import sys

from reductio_exec import Row


def fsum(x):
    try:
        return math.fsum(x.view)
    except ValueError:  # inf and -inf
        return math.nan
    except OverflowError:
        return math.copysign(math.inf, loop(x))


def loop(x):
    total = 0.0
    for value in x.view:
        total += value
    return total


def builtin_sum(x):
    return sum(x.view, 0.0)


EXACT = {"accuracy": "correctly rounded", "same_bits": ["run", "placement", "order"], "keeps_subnormals": True,
         "specials": True, "all_minus_zero": "plus", "empty": True}
FSUM = "partial sums that do not overlap, rounded once (Shewchuk 1997)"
COMPENSATED = sys.version_info >= (3, 12)
BUILTIN = {"accuracy": "compensated" if COMPENSATED else "height", "same_bits": ["run", "placement"],
           "keeps_subnormals": True, "empty": True}


def describe():
    builtin = {"height": lambda n: max(n - 1, 0), "places": True, "claims": BUILTIN,
               "summary": "the built-in sum(): " + ("compensated" if COMPENSATED else "one addition after the other")}
    return {
        "name": "python",
        "library": "Python %d.%d.%d" % sys.version_info[:3],
        "device": "CPU",
        "rows": [
            Row("fsum", "f64", fsum, EXACT, FSUM, "Python documentation, math.fsum", places=True),
            Row("fsum", "f32:f64", fsum, EXACT, FSUM, "Python documentation, math.fsum", places=True),
            Row("sum", "f64", builtin_sum, **builtin),
            Row("sum", "f32:f64", builtin_sum, **builtin),
        ],
    }
