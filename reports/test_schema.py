# SPDX-License-Identifier: MIT
"""Holds sample JSON against schema.json: test_schema.py WRITE_SAMPLE SCHEMA. Exits 77 where Python lacks jsonschema."""
import json
import subprocess
import sys
import tempfile

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("skipped: Python has no module jsonschema (package python3-jsonschema)")
    sys.exit(77)


def sample(write_sample, kind):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([write_sample, kind, "json", file.name], check=True)
        return json.loads(open(file.name, encoding="utf-8").read())


def faults(validator, run):
    return ["/".join(map(str, error.path)) + ": " + error.message[:200] for error in validator.iter_errors(run)]


def main(write_sample, schema_path):
    schema = json.load(open(schema_path, encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for kind in ("plain", "empty", "500"):
        found = faults(validator, sample(write_sample, kind))
        assert not found, f"{kind}: {found[:5]}"
    # The schema must also refuse: a figure that is a number, a member too many, results without has_result.
    for array, member, value in (
        ("cells", "ulps", 1.5),
        ("cells", "extra", "x"),
        ("cells", "has_result", False),
        ("cells", "head", "superb"),
        ("variants", "cell_count", -1),
    ):
        run = sample(write_sample, "plain")
        run[array][0][member] = value
        assert faults(validator, run), f"{array}[0].{member} = {value!r} passed"
    print("the schema holds")


main(*sys.argv[1:])
