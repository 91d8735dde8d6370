# SPDX-License-Identifier: MIT
"""Takes the JSON out of the page again, by what the page's legend says and without its script, and holds the page to its size:
test_pack.py WRITE_SAMPLE GALLERY."""
import base64
import gzip
import itertools
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import zlib

MIB = 2**20


def stream(page, name):
    found = re.search(rb'<script type="application/octet-stream" id="%s">([A-Za-z0-9+/=]*)</script>' % name, page)
    return zlib.decompress(base64.b64decode(found.group(1)))


def numbers(codes):
    value = shift = 0
    for byte in codes:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


def read_column(name, keys, fresh, codes, columns, members):
    """The text of each row, None where a row lacks the member."""
    column, met, known, last, fresh = [], [], set(), {}, iter(fresh)
    having = {id(have): not name or name in have for have in {id(have): have for have in members}.values()}
    rows = zip(members, zip(*(columns[k] for k in keys)) if keys else itertools.repeat(()))
    for have, key in rows:
        if not having[id(have)]:
            column.append(None)
            continue
        code = next(codes)
        if code == 0:
            text = last[key] if key in last else key[0]
        elif code == 1:
            text = next(fresh)
        else:
            text = met[code - 2]
        if text not in known:
            met.append(text)
            known.add(text)
        last[key] = text
        column.append(text)
    assert next(fresh, None) is None, f"{name}: texts are left over"
    return column


def unpack(page):
    pieces, codes = stream(page, b"data").decode().split("\0"), numbers(stream(page, b"codes"))
    specification, before, after, columns = json.loads(pieces[0]), pieces[1], pieces[2], []
    members = [None] * specification["rows"]
    for number, (name, keys) in enumerate(specification["columns"]):
        fresh = pieces[3 + number].split("\n")[:-1]
        columns.append(read_column(name, keys, fresh, codes, columns, members))
        if number == 0:
            having = {text: json.loads(text) for text in set(columns[0])}
            members = [having[text] for text in columns[0]]
    assert next(codes, None) is None, "codes are left over"
    places = {}
    for number, (name, _) in enumerate(specification["columns"]):
        places.setdefault(name, []).append(number)
    heads = {name: json.dumps(name) + ":" for name in places}
    parts = {
        name: [None if texts[0] is None else "".join(texts) for texts in zip(*(columns[c] for c in numbers))]
        for name, numbers in places.items()
    }
    rows = (",".join([heads[name] + parts[name][row] for name in have]) for row, have in enumerate(members))
    return (before + ",\n".join("{" + row + "}" for row in rows) + after).encode()


def check(write_sample, run, results, most):
    page = results.with_suffix(".html")
    subprocess.run([write_sample, run, "html", str(page), "json", str(results.with_suffix(".again"))], check=True)
    held = page.read_bytes()
    assert unpack(held) == results.with_suffix(".again").read_bytes(), f"{run}: the page holds another JSON"
    assert len(held) <= most, f"{run}: the page takes {len(held)} bytes"
    return len(held)


def check_in_little_memory(write_sample, results):
    """Whatever memory there is, the page is whole or there is none: down to the least that it fits in, by halving. Where an
    allocation fails depends on the kinds of cells, not on their number."""
    page, whole = results.with_suffix(".html"), results.with_suffix(".html").read_bytes()
    too_few, enough = 16 * MIB, 1024 * MIB
    limit = enough  # sanitizers take more from the start: then nothing is found here
    while enough - too_few > MIB // 8:
        page.unlink(missing_ok=True)
        done = subprocess.run([write_sample, str(results), "html", str(page)], capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        if done.returncode == 0:
            assert page.read_bytes() == whole, f"{limit} bytes of memory: part of the page is lost without a word"
            enough = limit
        else:
            assert done.returncode > 0 and done.stderr, f"{limit} bytes of memory: {done.returncode}, {done.stderr}"
            assert not page.exists(), f"{limit} bytes of memory: a page that failed is left behind"
            if limit == enough:
                return
            too_few = limit
        limit = (too_few + enough) // 2


def main(write_sample, gallery):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for kind in ("plain", "empty", "1000", "7000"):
            check(write_sample, kind, folder / f"{kind}.json", 2 * MIB)
        if "address" not in os.environ.get("REDUCTIO_SANITIZE", ""):  # its shadow alone takes 15 TB of addresses
            check_in_little_memory(write_sample, (folder / "1000.again").rename(folder / "1000.json"))
        # A recorded smoke run of three backends, which is what the limit is about.
        smoke = folder / "smoke.json"
        smoke.write_bytes(gzip.decompress(pathlib.Path(gallery, "smoke.json.gz").read_bytes()))
        size = check(write_sample, str(smoke), smoke, 2 * MIB)
        print(f"the pages hold their JSON; {size} bytes for the recorded smoke run")


main(*sys.argv[1:])
