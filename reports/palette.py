# SPDX-License-Identifier: MIT
"""Whether the colours of the page are told apart, by those who lack a kind of cones, too."""
import math
import re

from browser import load

# What a dichromat sees, in linear RGB (Machado, Oliveira & Fernandes 2009, table 1, severity 1).
VISIONS = {
    "all three cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1, 1.08883)


def transform(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def linear(colour):
    """Linear RGB of "rgb(0, 151, 193)" (IEC 61966-2-1)."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def lab(rgb):
    """CIE 1976 L*, a*, b*, whose distances follow what people tell apart: 2.3 is a just noticeable difference."""
    ratios = [x / w for x, w in zip(transform(TO_XYZ, [min(max(part, 0), 1) for part in rgb]), WHITE)]
    x, y, z = (r ** (1 / 3) if r > 216 / 24389 else (24389 / 27 * r + 16) / 116 for r in ratios)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def check_palette(browser, page):
    """Series are told apart without red, green or blue cones, and stand out from what they are drawn on (WCAG 1.4.11)."""
    load(browser, page)
    for theme in ("light", "dark"):
        found = browser.execute_script(
            "document.documentElement.dataset.theme = arguments[0];"
            "const box = document.querySelector('#charts figure > svg'), made = [];"
            "for (let s = 0; s < 8; s++) { const mark = document.createElementNS('http://www.w3.org/2000/svg', 'path');"
            "mark.setAttribute('class', 's' + s); box.append(mark); made.push(getComputedStyle(mark).fill); }"
            "return [made, getComputedStyle(box).backgroundColor]",
            theme,
        )
        colours, ground = [linear(colour) for colour in found[0]], linear(found[1])
        for colour, name in zip(colours, found[0]):
            a, b = sorted(transform(TO_XYZ, part)[1] for part in (colour, ground))
            assert (b + 0.05) / (a + 0.05) >= 3, f"{theme}: {name} does not stand out"
        for vision, matrix in VISIONS.items():
            seen = [lab(transform(matrix, colour)) for colour in colours]
            for i, one in enumerate(seen):
                for j, other in enumerate(seen[:i]):
                    assert math.dist(one, other) > 25, f"{theme}, {vision}: {found[0][i]} looks like {found[0][j]}"
