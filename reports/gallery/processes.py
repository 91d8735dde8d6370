# SPDX-License-Identifier: MIT
"""Runs a tool that runs a program, and ends both when their time is over."""
import os
import signal
import subprocess


def run_whole_group(command, limit):
    """Output (both streams) and exit code; None instead of the code after `limit` seconds. A tool that is killed would
    leave the program that it watches behind, spinning on the GPU: so all of the group is killed."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=limit)
            return output, process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            return output, None
