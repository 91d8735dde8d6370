# SPDX-License-Identifier: MIT
"""Joins what orders.sh left for each row and size with what the folder held before, and writes its page.

Run as: python3 -B orders.py FOLDER
"""
import glob
import json
import os
import sys


def place(path):
    """torch.sum-64.json: by row, then by size."""
    row, n = os.path.basename(path).rsplit(".", 1)[0].rsplit("-", 1)
    return row, int(n)


def take_all(folder, ending):
    """The files of single rows, which are removed once they are read."""
    for path in sorted(glob.glob(os.path.join(folder, "*-*" + ending)), key=place):
        with open(path, encoding="utf-8") as file:
            yield path, file
        os.remove(path)


def key(order):
    return order["backend"], order["variant"], order["type"], order["n"], order["shape"]


def read_orders(file):
    """Each order with the environment that it was found in, where its recording has one."""
    record = json.load(file)
    environments = record.get("environments", [])
    for order in record["orders"]:
        if "environment" in record:  # as `reductio order --json` leaves it
            order["environment"] = record["environment"]
        elif "environment" in order:
            order["environment"] = environments[order["environment"]]
        yield key(order), order


def join_orders(folder):
    """Environments are written once each; an order has the number of its own."""
    path = os.path.join(folder, "orders.json")
    orders, environments = {}, []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            orders.update(read_orders(file))
    for _, file in take_all(folder, ".json"):
        orders.update(read_orders(file))
    joined = [orders[k] for k in sorted(orders)]
    for order in joined:
        if "environment" in order:
            if order["environment"] not in environments:
                environments.append(order["environment"])
            order["environment"] = environments.index(order["environment"])
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"schema_version": 1, "kind": "orders", "environments": environments, "orders": joined}, out,
                  separators=(",", ":"))
        out.write("\n")
    return joined


def join_texts(folder):
    """One paragraph a row and size, which its first line names; formulas are left to the JSON."""
    path = os.path.join(folder, "orders.txt")
    paragraphs = {}

    def add(lines):
        title = None
        for line in lines:
            if not line.startswith(" "):
                title = line
                paragraphs[title] = []
            elif title and "(x" not in line.split(":")[0]:
                paragraphs[title].append(line)

    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            add(file)
    for _, file in take_all(folder, ".txt"):
        add(file)
    with open(path, "w", encoding="utf-8") as out:
        for title, lines in paragraphs.items():
            out.writelines([title, *lines])


def describe(order):
    kind = {"tree": "a tree of additions", "wide tree": "a tree of additions in " + order.get("arithmetic", "a wider format"),
            "multiway tree": "a tree with nodes of many terms", "compensated": "compensated", "exact": "exact",
            "varies": "not fixed", "unknown": "no plain tree"}[order["kind"]]
    words = order.get("pattern") or order.get("why")
    return kind + (": " + words if words else "")


def write_page(folder, orders):
    rows = {}
    for order in orders:
        rows.setdefault((order["backend"], order["variant"], order["type"], order["shape"]), []).append(order)
    with open(os.path.join(folder, "README.md"), "w", encoding="utf-8") as out:
        out.write("# Orders of additions\n\nRevealed from outside by `reductio order`, drawn by `orders.sh`; subtrees of one shape are "
                  "drawn once and named. A circle is one\naddition; the height is the number of additions on the longest path. "
                  "`orders.json` has every node, `orders.txt` how each was found.\n\n")
        for (backend, variant, kind, shape), found in rows.items():
            largest = found[-1]
            out.write(f"## {variant}@{backend}/{kind}, {shape}\n\nn = {largest['n']}: {describe(largest)}.\n\n")
            for order in found:
                picture = f"{variant}-{order['n']}.svg"
                if os.path.exists(os.path.join(folder, picture)):
                    out.write(f"- [n = {order['n']}]({picture}): height {order['height']}, hash `{order['hash']}`\n")
            smallest = f"{variant}-{found[0]['n']}.svg"
            if os.path.exists(os.path.join(folder, smallest)):
                out.write(f"\n![the tree for n = {found[0]['n']}]({smallest})\n")
            out.write("\n")


def main():
    folder = sys.argv[1]
    orders = join_orders(folder)
    join_texts(folder)
    write_page(folder, orders)


if __name__ == "__main__":
    main()
