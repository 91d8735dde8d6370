#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The gallery's own records, beside the figures that the project's pages tell of them."""
import collections
import contextlib
import fnmatch
import glob
import io
import os
import re
import unittest

import sanitize
import tables

HERE = os.path.dirname(os.path.abspath(__file__))


def record_of(name):
    return tables.load(os.path.join(HERE, name + ".json.gz"))


def names_of(run):
    return [row["name"] for row in run["variants"]]


class Records(unittest.TestCase):
    """What the project's README tells is what the records hold. A sentence that is no longer there fails too: its
    figures are then told in other words, which belong here."""

    @classmethod
    def setUpClass(cls):
        with open(os.path.join(HERE, "..", "..", "README.md"), encoding="utf-8") as file:
            cls.lines = file.read()
        cls.readme = " ".join(cls.lines.split())

    def told(self, pattern):
        found = re.search(pattern, self.readme)
        self.assertIsNotNone(found, "README.md does not tell: " + pattern)
        return tuple(int(text.replace(",", "")) if re.fullmatch(r"[\d,]+", text) else text for text in found.groups())

    def test_full(self):
        run = record_of("full")
        self.assertEqual(self.told(r"([\d,]+) cells of the full tier on three backends in (\d+) s"),
                         (len(run["cells"]), round(float(run["seconds"]))))
        self.assertEqual((len(run["backends"]), run["tier"], run["interrupted"]), (3, "full", False))
        machine = run["environment"]
        gpu, *versions = self.told(r"On one ([^(]*) \(driver ([^,]*), CUDA ([^,]*), CCCL ([^)]*)\)")
        self.assertEqual(machine["cuda.gpu"].split(",")[0], gpu)
        self.assertEqual([machine["cuda." + key] for key in ("driver", "cuda", "cccl")], versions)
        names = names_of(run)
        failing = [names[cell["variant"]] for cell in run["cells"] if cell["broken"]]
        self.assertEqual(self.told(r"`gpu_to_gpu` sum,[^|]* (\d+) cells fail"), (len(failing),))
        self.assertEqual(set(failing), {"cub_gpu_to_gpu"})

    def test_study(self):
        run = record_of("study")
        names, most, busy = names_of(run), collections.Counter(), set()
        for cell in run["cells"]:
            if cell["runs"] > 1:
                most[names[cell["variant"]]] = max(most[names[cell["variant"]]], len(cell["patterns"]))
                busy.add(cell["schedule"].startswith("busy"))
                self.assertEqual(cell["runs"], 1000)
        self.assertEqual(busy, {False, True})
        self.assertEqual((run["interrupted"], run["environment"]["cuda.devices"][:2]), (False, "2:"))
        atomic, runs, cub = self.told(r"`atomic_per_element` \((\d+) distinct results in (\d+) runs [^)]*\) and CUB's "
                                      r"`not_guaranteed` \((\d+)\)")
        self.assertEqual((most.pop("atomic_per_element"), runs, most.pop("cub_not_guaranteed")), (atomic, 1000, cub))
        self.assertEqual(set(most.values()), {1})  # "Every other row studied gave one result"
        self.told(r"(Every other row studied) [^.]*gave one result in 1000 runs[^.]*, and the same one on a second H200")
        devices = {row["name"]: tables.invariance(tables.claims_of(row)["same bits: device"]) for row in run["variants"]}
        self.assertLessEqual({devices[name] for name in most}, {"same", "same so far"})

    def test_frameworks(self):
        run = record_of("frameworks")
        names = names_of(run)
        self.assertEqual(self.told(r"Of the (\d+) sums of NumPy"), (len(set(names)),))
        self.assertEqual({row["name"] for row in run["variants"] if not row["cell_count"]}, set())
        accuracy = {row["name"]: tables.claims_of(row)["accuracy"] for row in run["variants"]}
        self.assertEqual({(name, claim["status"]) for name, claim in accuracy.items() if claim["value"] == "correctly rounded"},
                         {("python.fsum", "held")})  # "only `math.fsum` claims to be correctly rounded, and is"
        repeated = [cell for cell in run["cells"] if cell["runs"] > 1]
        self.assertEqual({names[cell["variant"]] for cell in repeated if len(cell["patterns"]) > 1},
                         {"torch.cuda.index_add", "cupy.add_at", "jax.gpu.scatter_add"})
        self.told(r"(`index_add_`, `cupy.add.at` and JAX's scatter-add) on the GPU change from run to run\.")
        broken = {row["name"] for row in run["variants"] for claim in row["claims"] if claim["status"] == "broken"}
        self.assertEqual(broken, set())
        flushing = {names[cell["variant"]] for cell in run["cells"] if "Subnormals were flushed" in cell.get("detail", "")}
        self.assertEqual(flushing, {"jax.sum", "jax.cumsum_last", "jax.scatter_add", "jax.gpu.scatter_add", "cupy.sum_plain",
                                    "cupy.add_at", "torch.cuda.index_add"})
        self.told(r"(JAX's sums on the CPU and its scatter-add on the GPU, CuPy's `sum` without CUB)")
        worst = {(row["name"], row["type"]): tables.worst_error(run, number) for number, row in enumerate(run["variants"])}
        plain, f16, bf16 = self.told(r"`torch.sum` errs by at most ([\d.]+) u[^;]*; a plain `index_add_`, [^,]*, by (\d+) "
                                     r"\(f16\) and (\d+) \(bf16\)")
        self.assertEqual(round(max(worst[name, kind] for name in ("torch.sum", "torch.cuda.sum") for kind in ("f16", "bf16")), 1),
                         float(plain))
        self.assertEqual([round(max(worst[name, kind] for name in ("torch.index_add", "torch.cuda.index_add")))
                          for kind in ("f16", "bf16")], [f16, bf16])

    def test_sanitizer(self):
        rows = record_of("sanitizer")["variants"]
        planted = [row for row in rows if row["fault_finding"]]
        verdicts = [{end["verdict"] for end in row["tools"].values()} for row in planted]
        self.assertLessEqual(set().union(*verdicts), {"found", "warned", "clean"})
        found = sum("found" in words for words in verdicts)
        warned = sum("warned" in words and "found" not in words for words in verdicts)
        clean = [row for row in rows if not row["fault_finding"] and
                 all((end["verdict"], end["exit_code"]) == ("clean", 0) for end in row["tools"].values())]
        self.assertEqual(self.told(r"Of (\d+) planted faults, (\d+) as errors and (\d+) more as warnings\. "
                                   r"All (\d+) rows that are not planted are clean"),
                         (len(planted), found, warned, len(rows) - len(planted)))
        self.assertEqual(len(clean), len(rows) - len(planted))
        self.assertEqual({tool for row in rows for tool in row["tools"]}, set(sanitize.TOOLS))

    def test_planted(self):
        """planted.md is what tables.py prints of its three records, and README.md counts what is in them."""
        selftests = [record_of("selftest-cpu"), record_of("selftest-gpu")]
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            tables.print_sanitizer(record_of("sanitizer"), selftests)
        with open(os.path.join(HERE, "planted.md"), encoding="utf-8") as file:
            self.assertEqual(file.read().split("\n\n", 2)[2], out.getvalue())
        seen, named = tables.suite_verdicts(selftests)
        on_cpu = {name for (name, backend), found in seen.items() if backend != "cuda" and named[name] in found}
        tried = {name for (name, backend) in seen if backend == "cuda" and named[name][1] not in ("tsan", "asan")}
        on_gpu = {name for name in tried if seen[name, "cuda"]}
        as_named = {name for name in tried if named[name] in seen[name, "cuda"]}
        self.assertEqual(self.told(r"`reductio selftest` finds all (\d+) on the CPU, and (\d+) of the (\d+) that it tries on the "
                                   r"GPU, (\d+) of them as what they are"),
                         (len(on_cpu), len(on_gpu), len(tried), len(as_named)))
        self.assertEqual(len(on_cpu), len(named))

    def test_detectors(self):
        """The table of detectors in README.md is that of the record of the planted faults on the CPU."""
        run = record_of("selftest-cpu")
        detectors_of = collections.defaultdict(set)
        for cell in run["cells"]:
            detectors_of[run["variants"][cell["variant"]]["name"]].update(cell.get("detectors", []))
        rows = re.findall(r"^\| ([a-z ]+) \| [^|]+ \| (\d+) \| (\d+) \| `(\w+)` \|$", self.lines, re.MULTILINE)
        self.assertEqual({detector for detector, *_ in rows}, set().union(*detectors_of.values()))
        for detector, found, alone, example in rows:
            names = {name for name, detectors in detectors_of.items() if detector in detectors}
            only = {name for name in names if detectors_of[name] == {detector}}
            self.assertEqual((int(found), int(alone)), (len(names), len(only)), detector)
            self.assertIn(example, only or names)
        self.assertEqual(self.told(r"What it catches, and how: (\d+) of (\d+) planted faults"), (len(detectors_of),) * 2)
        compiler, = self.told(r"of a build by (gcc \d+); the ThreadSanitizer of gcc 12")
        self.assertEqual(run["environment"]["tsan.compiler"].split(".")[0], compiler)
        self.assertEqual(run["verdict"], "%d of %d planted faults caught." % ((len(detectors_of),) * 2))

    def test_conflicts(self):
        rows = {row["shape"]: row for row in record_of("conflicts")["rows"] if row["variant"] == "tree_strided"}

        def figures(shape):
            row = rows[shape]
            return tuple(round(row[key] / row["blocks"]) for key in ("conflicts", "model_conflicts"))
        self.assertEqual(self.told(r"\((\d+) conflicts a block counted, model (\d+)\)"), figures("t1024"))
        self.assertEqual(self.told(r"the worst is 8-way \((\d+), model (\d+)\)"), figures("t256"))
        degrees = [max(step["degree"] for step in rows[shape]["model_steps"]) for shape in ("t1024", "t256")]
        self.assertEqual(degrees, [32, 8])

    def test_bench(self):
        run = record_of("bench")
        self.assertEqual(self.told(r"\(`bench.json.gz`, recorded at commit (\w+)\)"), (run["environment"]["commit"],))
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            tables.print_times(run)
        ratios = {(name, kind): ratio for name, kind, ratio in
                  re.findall(r"^\| `(\w+)` \| (\w+) \| 268435456 \|.* ([\d.]+) \|$", out.getvalue(), re.MULTILINE)}
        shown = re.findall(r"^\| `(\w+)`[^|]*\|[^|]*\|[^|]*\| (\d\.\d{3}) \| (\d\.\d{3}) \|$", self.lines, re.MULTILINE)
        self.assertGreater(len(shown), 5)
        for name, *pair in shown:
            self.assertEqual([ratios[name, "f32"], ratios[name, "f64"]], pair, name)

    def test_kinds(self):
        """Rows of EXACT_BINS.md that give times and ratios of four kinds of data are those of the record."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            tables.print_times(record_of("kinds"))
        row = r"^\| `(?:exact_bins|cub_gpu_to_gpu)` \| f\d\d \| \d+ \|.*$"
        with open(os.path.join(HERE, "../../kernels/EXACT_BINS.md"), encoding="utf-8") as file:
            page = file.read()
        rows = re.findall(row, page, re.MULTILINE)
        self.assertEqual(set(rows), set(re.findall(row, out.getvalue(), re.MULTILINE)))  # all of them, also where CUB's is faster
        self.assertEqual(self.kinds_told(" ".join(page.split())), self.kinds_of(rows))

    @staticmethod
    def kinds_told(words):
        """The figures of the text below that table, in their order."""
        return [float(figure) for pattern in (
            r"in f32: ([\d.]+) to ([\d.]+) of `cub_sum`, and ([\d.]+) to ([\d.]+) times as fast as CUB's",
            r"the far way, ([\d.]+) to ([\d.]+) of `cub_sum` for 2\^27 numbers and more and ([\d.]+) to ([\d.]+) for 2\^20",
            r"f64 on near data is ([\d.]+) times as fast for 2\^27 numbers and ([\d.]+) for 2\^28; "
            r"on `cancel_pairs` ([\d.]+) for 2\^27, and slower for 2\^28, ([\d.]+)\.")
            for figure in re.search(pattern, words).groups()]

    @staticmethod
    def kinds_of(rows):
        """The same, computed from the rows of the table."""
        us, over = {}, {}
        for row in rows:
            _, name, kind, n, *figures, _ = (word.strip(" `") for word in row.split("|"))
            for column, figure in enumerate(figures):
                if figure != "–":
                    us[name, kind, int(n), column] = float(figure.split()[0])
                    over[name, kind, int(n), column] = float(figure.split()[1].strip("()"))

        def ends(values, digits):
            return [round(min(values), digits), round(max(values), digits)]

        def gain(kind, n, column):
            return us["cub_gpu_to_gpu", kind, n, column] / us["exact_bins", kind, n, column]
        of_cub, far = range(4), (2, 3)  # columns: uniform, normal, cancel_pairs, full range
        large = (2 ** 27, 2 ** 28)
        return [*ends([over["exact_bins", "f32", n, c] for n in large for c in of_cub], 3),
                *ends([gain("f32", n, c) for n in large for c in of_cub], 2),
                *ends([over["exact_bins", "f64", n, c] for n in large for c in far], 3),
                *ends([over["exact_bins", "f64", 2 ** 20, c] for c in far], 3),
                *[round(gain("f64", n, 0), 2) for n in large], *[round(gain("f64", n, 2), 2) for n in large]]

    def test_cpu(self):
        """Rows of the tables of cpu.json, in whichever page they stand, are those of the record."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            tables.print_cpu(record_of("cpu"))
        printed = out.getvalue().splitlines()
        for page, least in (("README.md", 0), ("reference/README.md", 7), ("harness/simt/README.md", 3)):
            with open(os.path.join(HERE, "../..", page), encoding="utf-8") as file:
                rows = [line for line in file.read().splitlines()
                        if re.match(r"\| f(32|64): [^|]*( / (plain loop|exact sum)|threads) \||\| (1024|128|32) \| [\d.]+ \|", line)]
            self.assertGreaterEqual(len(rows), least, page)
            for row in rows:
                self.assertIn(row, printed, page)

    def test_advice(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            tables.print_advice([record_of("bench"), record_of("shapes")])
        told = [re.findall(pattern, out.getvalue()) for pattern in (
            r"(\d+) of (\d+) sizes cost at most 5 %", r"(\d+) of (\d+) rows lose at most 5 %",
            r"(\d+) of (\d+) counts that are no multiple cost more than 5 %")]
        shown = (self.told(r"at most 5 % at (\d+) of (\d+) sizes in f32 and at (\d+) of (\d+) in f64") +
                 self.told(r"does so for (\d+) of (\d+) rows, \"128 or 256\" for the others for (\d+) of (\d+)\.") +
                 self.told(r"costs more than 5 % in (\d+) of (\d+) trials"))
        self.assertEqual([int(figure) for pairs in told for pair in pairs for figure in pair], list(shown))

    def test_page_of_the_gallery_names_what_is_there(self):
        with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
            page = file.read()
        table = page.split("| file | what it shows |")[1].split("\n\n")[0]
        shown = re.findall(r"`([\w.*]+)`", "".join(line.split("|")[1] for line in table.splitlines()[2:]))
        self.assertGreater(len(shown), 5)
        for pattern in shown + re.findall(r"reports/gallery/(\S+\.gz)", page):
            self.assertTrue(glob.glob(os.path.join(HERE, pattern)), pattern)
        for path in glob.glob(os.path.join(HERE, "*.gz")):
            self.assertTrue(any(fnmatch.fnmatch(os.path.basename(path), pattern) for pattern in shown), path)


if __name__ == "__main__":
    unittest.main()
