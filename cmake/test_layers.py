# SPDX-License-Identifier: MIT
"""Arrows point one way: no file includes from a folder that its own knows nothing of (CONTRIBUTING.md, first table)."""
import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = {".c", ".h", ".cu", ".cuh", ".cpp", ".hpp", ".def", ".in"}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)

HARNESS = ("harness/", "cases/", "reference/", "text/", "kernels/probes/")
# Of each folder what its files may include; a folder within it that has a line of its own goes by that.
MAY_INCLUDE = {
    "text/": ("text/",),
    "reference/": ("reference/",),
    "cases/": ("cases/", "reference/", "text/"),
    "kernels/": ("kernels/", "harness/reductio.h", "reference/float_16.h"),
    "kernels/tests/": ("kernels/", "harness/", "reference/"),
    "harness/": HARNESS,
    "harness/cli/": (*HARNESS, "reports/"),
    "harness/order/": (*HARNESS, "reports/text.h"),
    "reports/": ("reports/", "harness/result.h", "harness/finding.h", "harness/fault_outcome.h", "reference/float_type.h",
                 "text/"),
}


def sources():
    for folder in sorted({name.split("/")[0] for name in MAY_INCLUDE}):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SOURCES and path.is_file():
                yield path.relative_to(ROOT).as_posix()


def allowed_for(name):
    return MAY_INCLUDE[max((folder for folder in MAY_INCLUDE if name.startswith(folder)), key=len)]


def included(name, text):
    """The files of the project that `text`, which stands in the file `name`, includes: as a compiler finds them."""
    for path in INCLUDE.findall(text):
        beside = os.path.normpath(os.path.join(os.path.dirname(name), path))
        yield beside if (ROOT / beside).is_file() else os.path.normpath(path)


def forbidden(name, text):
    own = allowed_for(name)
    return [path for path in included(name, text) if path.startswith(tuple(MAY_INCLUDE)) and not path.startswith(own)]


class Layers(unittest.TestCase):
    def test_no_file_includes_from_above(self):
        names = list(sources())
        for folder in MAY_INCLUDE:
            self.assertTrue(any(name.startswith(folder) for name in names), f"no source in {folder}")
        for name in names:
            with self.subTest(file=name):
                self.assertEqual(forbidden(name, (ROOT / name).read_text(encoding="utf-8")), [])

    def test_each_way_up_is_seen(self):
        for name, path in (("cases/new.c", "harness/support.h"), ("cases/new.c", "../harness/support.h"),
                           ("reference/new.h", "reports/text.h"), ("reference/new.c", "cases/cases.h"),
                           ("kernels/new.cu", "harness/support.h"), ("kernels/faulty/new.cu", "reports/text.h"),
                           ("text/new.c", "harness/support.h"), ("reports/new.c", "harness/support.h"),
                           ("harness/new.c", "reports/text.h"), ("harness/new.c", "kernels/tiles.h")):
            with self.subTest(file=name, includes=path):
                self.assertEqual(forbidden(name, f'// x\n  # include "{path}"\n'), [os.path.normpath(path).removeprefix("../")])


if __name__ == "__main__":
    unittest.main()
