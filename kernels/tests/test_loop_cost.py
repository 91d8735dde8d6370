# SPDX-License-Identifier: MIT
"""loop_cost.py on machine code made by hand, whose turns were counted by hand."""
import pathlib
import subprocess
import sys
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "loop_cost.py"

# One load, then the fast way (2 instructions and a jump) or the slow one (5); each ends at 0x90, the back edge at 0xa0.
CODE = """
\t\tFunction : _Z9other_onePf
        /*0000*/                   LDG.E.128 R4, desc[UR4][R2.64] ;   /* 0x0 */
                                                                      /* 0x0 */
        /*0010*/                   BRA 0x0 ;                          /* 0x0 */
\t\tFunction : _Z7add_allPf
        /*0000*/                   S2R R0, SR_TID.X ;                 /* 0x0 */
        /*0010*/                   LDG.E.128 R4, desc[UR4][R2.64] ;   /* 0x0 */
        /*0020*/              @!P0 BRA 0x80 ;                         /* 0x0 */
        /*0030*/                   LDS.64 R8, [R1] ;                  /* 0x0 */
        /*0040*/                   DADD R8, R8, R4 ;                  /* 0x0 */
        /*0050*/                   STS.64 [R1], R8 ;                  /* 0x0 */
        /*0060*/                   LDS R9, [R1+0x8] ;                 /* 0x0 */
        /*0070*/                   BRA 0x90 ;                         /* 0x0 */
        /*0080*/                   F2F.F64.F32 R8, R4 ;               /* 0x0 */
        /*0090*/                   ISETP.GE.U32.AND P1, PT, R2, R3, PT ; /* 0x0 */
        /*00a0*/              @!P1 BRA 0x10 ;                         /* 0x0 */
        /*00b0*/                   EXIT ;                             /* 0x0 */
"""


def run(*arguments):
    return subprocess.run([sys.executable, "-B", SCRIPT, *arguments], input=CODE, text=True, capture_output=True, check=False)


def first_column(done):
    return {line[:24].strip(): int(line[24:32]) for line in done.stdout.splitlines()[1:]}


class LoopCost(unittest.TestCase):
    def test_fast_way(self):
        # LDG, BRA | F2F | ISETP, BRA
        self.assertEqual(first_column(run("add_all", "4")), {
            "instructions": 5, "double additions": 0, "conversions": 1, "bytes of shared memory": 0})

    def test_slow_way(self):
        # LDG, BRA | LDS, DADD, STS, LDS, BRA | ISETP, BRA; 8 + 8 + 4 bytes
        self.assertEqual(first_column(run("add_all", "4", "LDS:2")), {
            "instructions": 9, "double additions": 1, "conversions": 0, "bytes of shared memory": 20})

    def test_rates(self):
        # 128 lanes * 4 elements / 5 instructions; 16 * 4 / 1
        lines = run("add_all", "4").stdout.splitlines()
        self.assertEqual([line.split()[-1] for line in lines[1:]], ["102.40", "-", "64.00", "-"])

    def test_what_is_not_there(self):
        for arguments, why in ((("nothing", "4"), "0 functions"), (("_Z", "4"), "2 functions"),
                               (("add_all", "4", "LDS:3"), "no loop"), (("add_all", "4", "LDS"), "opcode"),
                               (("add_all", "0"), "KERNEL"), ((), "KERNEL")):
            done = run(*arguments)
            self.assertEqual(done.returncode, 1)
            self.assertIn(why, done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
