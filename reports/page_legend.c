// SPDX-License-Identifier: MIT
// Every word and figure of the page, with formula and source.
#include "reports/kill_matrix.h"
#include "reports/page.h"

static const struct {
    const char *word, *meaning;
} words[] = {
    {"exact sum s",
     "The sum of the inputs as real numbers, computed with MPFR at a precision at which no step rounds; every verdict "
     "rests on it, never on another floating-point sum."},
    {"exact, rounded",
     "s rounded once to the output type, to nearest, ties to even. The best possible result; never called wrong."},
    {"u", "Unit roundoff of the output type: 2<sup>−24</sup> for f32, 2<sup>−53</sup> for f64, 2<sup>−11</sup> for "
          "f16, 2<sup>−8</sup> for bf16."},
    {"A", "Σ|x|, the sum of absolute values."},
    {"ulp, ulps", "ulp(y) = 2<sup>max(e, emin) − p + 1</sup> with 2<sup>e</sup> ≤ |y| &lt; 2<sup>e+1</sup> (Muller et "
                  "al., Handbook of "
                  "Floating-Point Arithmetic, 2nd ed., definition 2.6). Errors are signed, result − s, in ulps of the "
                  "rounded exact sum."},
    {"condition number", "Σ|x| / |Σx|: how much the data cancel. The relative error of any sum grows with it."},
    {"err/(u·A)", "|s − ŝ| / (u·Σ|x|): the error apart from the data's condition."},
    {"bound",
     "A proved upper limit of |s − ŝ| for the claimed method, evaluated in MPFR and rounded up; of n terms, h the "
     "longest path of additions, γ<sub>k</sub> = k·u/(1 − k·u). <b>any order</b>: (n−1)·u·A (Rump 2012; Jeannerod "
     "&amp; Rump 2013). <b>height</b>: min(γ<sub>h</sub>, (n−1)·u)·A (Higham, Accuracy and Stability of Numerical "
     "Algorithms, 2nd ed., section 4.2). <b>Kahan</b>: u·|s| + (2u + 5(n+1)·u²)·A (after Higham, section 4.3). "
     "<b>Kahan, merged</b>: k terms a thread, whose sums and corrections a tree adds: u·|s| + (1 + u)·(2u + 5(k+1)·u² "
     "+ "
     "γ<sub>2h</sub>·(3u + γ<sub>h</sub>·(1 + 5u + 5k·u²)))·A. <b>compensated</b>: u·|s| + (1 + "
     "u)·γ<sub>h</sub>·γ<sub>2h</sub>·A (after Ogita, Rump &amp; Oishi 2005). <b>double word</b>: u·|s| + (1 + "
     "u)·h·ε/(1 "
     "− h·ε)·A with ε = 3u² + 13u³ (Joldes, Muller &amp; Popescu 2017). <b>wide accumulator</b>: the height’s bound "
     "with "
     "the u of the wider format and, where the result is narrower, its rounding. <b>binned, fold 3</b>: u·|s| + (1 + "
     "u)·N·2<sup>e − 2W</sup>, N nonzero terms, e = ⌊log<sub>2</sub> max|x|⌋, W = 13 (f32) or 40 (f64) (after Ahrens, "
     "Demmel &amp; Nguyen 2020). <b>faithful</b>, <b>correctly rounded</b>: from s to the farther, to the nearest of "
     "the "
     "numbers around it. <b>(not claimed)</b>: the row promises no accuracy, but is a sum, and any order meets this "
     "bound. Where float atomics act on global memory, what they may flush is added (PTX ISA, atom)."},
    {"err/bound", "At most 1 if the claim is true. The largest seen is an <b>observed maximum, a lower bound</b> on "
                  "the worst that can "
                  "happen; the <b>proved bound</b> is the upper one. The truth is between them."},
    {"bound says nothing (∅)", "bound ≥ |s|: any result near zero would pass. Never counted as a pass of accuracy."},
    {"never rounds", "All x are multiples of a power of two q with Σ|x| ≤ 2<sup>p</sup>·q: no addition in any order "
                     "rounds, so the bound is 0."},
    {"correctly rounded, faithful", "The rounded exact sum itself; one of the two floats that enclose the exact sum."},
    {"within bound, beyond bound", "err/bound at most 1; above 1."},
    {"lost elements, double-counted",
     "Some element does not reach the sum, or reaches it twice; found by the coverage map, whose elements carry "
     "digits that tell where each went."},
    {"wrong class", "NaN, an infinity, a finite number or the sign of zero where another is right."},
    {"flushed", "A subnormal result or contribution became zero."},
    {"overflowed early", "Infinite or NaN although the exact sum is finite."},
    {"did not run, crashed, hung, misused", "The output kept its poison; the worker died; it ran out of time; it broke "
                                            "a rule of barriers, shuffles or launches."},
    {"not checked (?)",
     "The detector that was asked cannot see in a launch of this size, as a planted race showed; or the harness could "
     "not run the cell, since its workers were killed from outside or the machine had no memory or process left. "
     "Neither a fault nor a pass."},
    {"raced, out of bounds", "A sanitizer saw two unordered accesses; an access left its array."},
    {"varied, varies as claimed",
     "Different bits under a change that the variant claims does not matter; or one that it makes no claim about."},
    {"run, shape, placement, order, device",
     "The five kinds of change: the same call again (on simt any schedule of threads), another launch "
     "shape, another base address, the same elements permuted, another GPU."},
    {"patterns", "Distinct bit patterns of the result. “The same in R runs” is no proof: if runs are independent, 0 of "
                 "R excludes at 95 % "
                 "only that more than 3/R of them differ. On simt a pattern is reachable; how often it comes on a GPU "
                 "is not known."},
    {"V<sub>s</sub>",
     "1 − |S<sub>nd</sub>/S<sub>d</sub>|, a non-deterministic against a deterministic sum (Shanmugavelu et al. 2024, "
     "section 3). A row is compared with itself: S<sub>d</sub> is the result of its first run; on simt, where a "
     "schedule "
     "gives the same result whenever it is run, that of the schedule in order, and S<sub>nd</sub> those of the other "
     "schedules."},
    {"held, broken, known, not tested, not claimed",
     "Status of a claim: no attack broke it; one did; it did and is listed in reductio-known.txt; no cell "
     "attacked it, with the reason; the variant does not promise it."},
    {"GB/s, % of a read-only kernel",
     "Bytes of input, each counted once, over the median time of a call (10<sup>9</sup> bytes a second); the time of a "
     "kernel that only reads the same bytes, measured beside it, over that median. A sample is the mean over calls in "
     "a row, as many as fill 2 ms (1 to 256), each on the next copy of the input, so that no cache serves it; on a GPU "
     "between two CUDA events. Times of simt and host are times of the CPU and say nothing of a GPU."},
    {"cell",
     "One variant on one input in one way: variant@backend/type/values/n/order/shape/offset/schedule. <b>order</b> of "
     "the elements: as given, reversed, by magnitude, shuffled. <b>shape</b> t256b8: 256 threads a block, 8 blocks. "
     "<b>offset</b> o3: the array begins 3 elements past an aligned address. <b>schedule</b> hw: whatever the machine "
     "does; on simt inorder, reversed, seed7 (every choice drawn from 7), apart (lanes as far from lockstep as "
     "barriers "
     "allow), lastblock2 (block 2 after all others), ascending and descending (pending float atomics by magnitude); "
     "busy50: something else keeps half of the multiprocessors; device1: another GPU."},
    {"nearest",
     "The cell with the largest err/bound that holds its claim and says something, of at least 32 terms where there is "
     "one: with two terms every sum meets its bound."},
    {"order of additions",
     "Which terms meet when, as a tree: revealed from outside, by sums in which all terms vanish that meet a large "
     "number before its opposite does (FPRev: Xie et al. 2025). The height is the longest path of additions from a "
     "term to the sum."},
    {"the JSON inside",
     "Download JSON gives the very bytes of the results file. They lie in this page as two zlib streams in base64, "
     "<code>data</code> (text) and <code>codes</code> (bytes), the cells by columns. The text is pieces between NULs: "
     "{rows, columns: [[member, [key, …]], …]}; the JSON before the first cell; that after the last; then for each "
     "column its texts, each ended by a line feed. Column 0 holds the names of each cell’s members; columns of one "
     "member are parts of its text. The codes are LEB128 numbers, column by column, one for each row that has the "
     "member: 0, the text of the last row with the same texts in the key columns or, if there is none, the text of the "
     "first key column; 1, the column’s next text; k &gt; 1, the text that was new there as number k − 2. A cell is "
     "{\"member\":text,…} in the order of its names; cells are joined by a comma and a line feed."},
    {"host, simt, cuda, tsan, asan, exec",
     "Backends: plain C loops on the CPU; the CUDA sources on the CPU, one fiber a thread; the CUDA sources on a GPU; "
     "simt built with ThreadSanitizer, with AddressSanitizer; a program of its own."},
};

void page_legend(const struct page *page) {
    fputs("<section id=legend><h2>Legend</h2>\n<dl>\n", page->out);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        fprintf(page->out, "<dt>%s<dd>%s\n", words[i].word, words[i].meaning);
    fputs("<dt>found by<dd>", page->out);
    for (size_t d = 0; d < KILL_DETECTORS; d++)
        fprintf(page->out, "%s<b>%s</b>: %s", d ? ". " : "", kill_detector_name(d), kill_detector_how(d));
    fputs(".\n</dl>\n</section>\n", page->out);
}
