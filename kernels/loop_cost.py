#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What one turn of a kernel's main loop costs, and how many elements a clock each unit of a multiprocessor lets through.

    nvcc -arch=sm_90 -cubin -o FILE.cubin ... && cuobjdump -sass FILE.cubin | loop_cost.py KERNEL ELEMENTS [OPCODE:COUNT]

KERNEL is a part of the function's mangled name, ELEMENTS what one thread adds in one turn. The turn is the cycle of
fewest instructions that leads through a 16-byte load of global memory and, where asked for, through a basic block with
at least COUNT instructions whose name begins with OPCODE: the one that tells the slow way from the fast one.

Rates a clock of one multiprocessor of compute capability 9.0: four warps issue an instruction each; 64 double additions
and 16 conversions to or from 64 bits (CUDA C++ Programming Guide, "Arithmetic Instructions"); 128 bytes of shared memory.
"""
import heapq
import re
import sys

LINE = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(@!?U?P\d+ )?\s*([A-Z0-9_.]+)([^;]*);")
WIDE = re.compile(r"\.(64|128)\b")
RATES = {"instructions": 128, "double additions": 64, "conversions": 16, "bytes of shared memory": 128}


def read_function(lines, name):
    """[(address, guard, opcode, operands)] of the one function whose name holds `name`."""
    found, code = [], []
    for line in lines:
        if "Function :" in line:
            inside = name in line
            found += [line.split()[-1]] if inside else []
        match = LINE.match(line)
        if match and found and inside:
            code.append((int(match[1], 16), match[2], match[3], match[4].strip()))
    if len(found) != 1:
        sys.exit(f"{len(found)} functions are named like {name}; one was asked for")
    return code


def split_blocks(code):
    """{start: (instructions, successors)}"""
    targets = {int(o.split(",")[-1].strip(), 16) for _, _, op, o in code if op.startswith("BRA") and "0x" in o}
    blocks, start = {}, None
    for i, (address, guard, opcode, operands) in enumerate(code):
        if start is None or address in targets:
            start = address
            blocks[start] = ([], [])
        blocks[start][0].append(opcode)
        following = code[i + 1][0] if i + 1 < len(code) else None
        if opcode.startswith("BRA") and "0x" in operands:
            blocks[start][1].append(int(operands.split(",")[-1].strip(), 16))
            if guard or "P" in operands.split("0x")[0] or ".DIV" in opcode:
                blocks[start][1].append(following)
            start = None
        elif opcode in ("EXIT", "RET.REL.NODEC") and not guard:
            start = None
        elif following in targets:
            blocks[start][1].append(following)
    return blocks


def shortest(blocks, origin):
    """{block: (instructions up to its start, blocks before it)} from the end of `origin` on."""
    reached, queue = {}, [(0, nxt, (origin,)) for nxt in blocks[origin][1]]
    while queue:
        cost, block, path = heapq.heappop(queue)
        if block in reached or block not in blocks:
            continue
        reached[block] = (cost, path)
        for nxt in blocks[block][1]:
            heapq.heappush(queue, (cost + len(blocks[block][0]), nxt, path + (block,)))
    return reached


def count(block, opcode):
    return sum(name.startswith(opcode) for name in block[0])


def find_turn(blocks, through):
    """The blocks of the shortest cycle, or None."""
    best = None
    for load in (b for b in blocks if count(blocks[b], "LDG.E.128")):
        away = shortest(blocks, load)
        for middle in (b for b in blocks if through is None or count(blocks[b], through[0]) >= through[1]):
            if middle not in away:
                continue
            cost, path = away[middle]
            if middle != load:
                back = shortest(blocks, middle).get(load)
                if not back:
                    continue
                cost, path = cost + len(blocks[middle][0]) + back[0], path + back[1]
            cost += len(blocks[load][0])
            if best is None or cost < best[0]:
                best = (cost, path)
    return best and best[1]


def bytes_of(name):
    wide = WIDE.search(name)
    return int(wide[1]) // 8 if wide else 4


def add_up(names):
    """{unit: how much of it one thread asks for}"""
    shared = [name for name in names if name.startswith(("LDS", "STS"))]
    return {
        "instructions": len(names),
        "double additions": sum(name.startswith(("DADD", "DMUL", "DFMA")) for name in names),
        "conversions": sum(name.startswith(("F2F", "F2I", "I2F")) for name in names),
        "bytes of shared memory": sum(map(bytes_of, shared)),
    }


def main(arguments):
    if len(arguments) not in (2, 3) or not arguments[1].isdigit() or int(arguments[1]) == 0:
        sys.exit(__doc__)
    through = None
    if len(arguments) == 3:
        opcode, _, number = arguments[2].partition(":")
        if not number.isdigit():
            sys.exit(f"{arguments[2]}: an opcode and a count were asked for, as LDS:48")
        through = (opcode, int(number))
    blocks = split_blocks(read_function(sys.stdin, arguments[0]))
    turn = find_turn(blocks, through)
    if not turn:
        sys.exit("no loop leads through a 16-byte load and such a block")
    elements = int(arguments[1])
    print(f"{'':24}{'a turn':>8}{'an element':>12}{'a clock':>9}{'elements a clock':>18}")
    for unit, asked in add_up([name for block in turn for name in blocks[block][0]]).items():
        most = f"{RATES[unit] * elements / asked:.2f}" if asked else "-"
        print(f"{unit:24}{asked:8}{asked / elements:12.2f}{RATES[unit]:9}{most:>18}")


if __name__ == "__main__":
    main(sys.argv[1:])
