# SPDX-License-Identifier: MIT
"""The program's side of reductio's pipe protocol (harness/exec/README.md), in plain Python.

A program that sums is a list of rows and one call:

    from reductio_exec import Row, serve
    serve("mine", library="mine 1.0", device="cpu", rows=[Row("sum", "f32", lambda x: my_sum(x.view))])

A row's function is handed one Input and returns a number. It is asked again and again until reductio is done; what it
prints goes to standard error. An exception is answered as the reason why there is no sum.
"""
import ctypes
import json
import math
import mmap
import os
import struct
import sys
import time

VERSION = 1
MAGIC = b"rdct"
HELLO, SUM, HEIGHT, ANSWER, FAILED = 1, 2, 3, 4, 5
HEAD = struct.Struct("<4sIQQ")  # magic, kind, sequence, bytes that follow
REQUEST = struct.Struct("<IIIIQQ")  # row, offset, bytes of an element, of the result, n, token
RESULT = struct.Struct("<QQ")  # bits, nanoseconds
FAILED_MOST_BYTES = 800
ABSENT_MOST_BYTES = 400
ALIGNMENT = 256

FORMATS = {"f32": "f", "f64": "d", "f16": "H", "bf16": "H"}  # of a memoryview, which has no 16-bit floats


class Input:
    """One array: `view` is a memoryview of n floats or doubles, or of the bits of n 16-bit numbers. It starts `offset`
    elements past a multiple of 256 bytes; a row that says places=True must sum it at such an address."""

    def __init__(self, view, n, offset, dtype):
        self.view, self.n, self.offset, self.dtype = view, n, offset, dtype

    def numpy(self):
        """The same memory as a NumPy array; the bits where it is bf16, a type that NumPy has not."""
        import numpy
        types = {"f32": numpy.float32, "f64": numpy.float64, "f16": numpy.float16, "bf16": numpy.uint16}
        return numpy.frombuffer(self.view, dtype=types[self.dtype])


class Row:
    """A sum: its name, its type ("f32", "f64", "f16", "bf16", "f32:f64", "f16:f32", "bf16:f32"), its function, and what
    it promises.

    claims: accuracy, same_bits, keeps_subnormals, may_overflow_early, specials, all_minus_zero, empty.
    height: a function of n, where the accuracy is a bound in the height of the tree of additions.
    places: it sums the array at the address that it is handed, or at one as far past a multiple of 256 bytes.
    absent: why it cannot run here."""

    def __init__(self, name, type, function, claims=None, summary=None, origin=None, height=None, places=False,
                 absent=None, max_n=None):
        self.name, self.type, self.function, self.height = name, type, function, height
        self.input = type.split(":")[0]
        self.output = type.split(":")[-1]
        self.told = {"name": name, "type": type, "places": places, "heights": height is not None}
        for key, value in (("claims", claims), ("summary", summary), ("origin", origin), ("absent", absent),
                           ("max_n", max_n)):
            if value is not None:
                self.told[key] = value


class Buffer:
    """Page-aligned memory that grows, so that an array can lie at any offset."""

    def __init__(self):
        self.memory = None

    def place(self, offset, size):
        needed = ALIGNMENT + offset + size
        if self.memory is None or len(self.memory) < needed:
            self.memory = mmap.mmap(-1, max(needed, 1 << 16))
        return memoryview(self.memory)[offset:offset + size]


def read_into(descriptor, view):
    """Fills the view; False at the end of the stream."""
    done = 0
    while done < len(view):
        got = os.readv(descriptor, [view[done:]])
        if got == 0:
            return False
        done += got
    return True


def read_exactly(descriptor, size):
    data = bytearray(size)
    return bytes(data) if read_into(descriptor, memoryview(data)) else None


def write_frame(descriptor, kind, sequence, payload):
    data = memoryview(HEAD.pack(MAGIC, kind, sequence, len(payload)) + payload)
    while data:
        data = data[os.write(descriptor, data):]


def f16_bits(value):
    try:
        return struct.unpack("<H", struct.pack("<e", value))[0]
    except OverflowError:  # where a cast gives an infinity
        return 0x7c00 if value > 0 else 0xfc00


def round_to_bf16(value):
    """To 8 bits, or to a multiple of the least subnormal 2^-133; beyond the end an f32 overflows as bf16 does."""
    if not math.isfinite(value):
        return value
    quantum = max(math.frexp(value)[1] - 8, -133)
    return math.copysign(math.ldexp(round(math.ldexp(value, -quantum)), quantum), value)


def bits_of(value, output):
    """The bits of a result. A Python float that the type does not hold exactly is rounded once, as a cast would."""
    if output == "f64":
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    if output == "f16":
        return f16_bits(value)
    if output == "bf16":
        return bits_of(round_to_bf16(value), "f32") >> 16
    return struct.unpack("<I", bytes(ctypes.c_float(value)))[0]


def failure_text(error, most_bytes=FAILED_MOST_BYTES):
    """One line of UTF-8."""
    text = ("%s: %s" % (type(error).__name__, error)).split("\n")[0]
    return (text.encode("utf-8", "replace")[:most_bytes]).decode("utf-8", "ignore").encode()


def answer(row, kind, source):
    """Bits and nanoseconds."""
    if kind == HEIGHT:
        return row.height(source), 0
    start = time.perf_counter_ns()
    value = row.function(source)
    took = time.perf_counter_ns() - start
    return bits_of(float(value), row.output), took


def serve_one(descriptors, rows, buffer):
    """One request and its answer; False at the end."""
    incoming, outgoing = descriptors
    head = read_exactly(incoming, HEAD.size)
    if head is None:
        return False
    magic, kind, sequence, _ = HEAD.unpack(head)
    if magic != MAGIC or kind not in (SUM, HEIGHT):
        raise SystemExit("This is a program for reductio --exec and was asked something else.")
    request = read_exactly(incoming, REQUEST.size)
    if request is None:
        return False
    number, offset, element, _, n, _ = REQUEST.unpack(request)
    row = rows[number]
    source = n
    if kind == SUM:
        raw = buffer.place(offset * element, n * element)
        if not read_into(incoming, raw):
            return False
        source = Input(raw.cast(FORMATS[row.input]), n, offset, row.input)
    try:
        payload = request + RESULT.pack(*answer(row, kind, source))
    except Exception as error:  # whatever a library may raise is this sum's failure and not the program's
        write_frame(outgoing, FAILED, sequence, failure_text(error))
        return True
    write_frame(outgoing, ANSWER, sequence, payload)
    return True


def say_hello(descriptor, hello):
    write_frame(descriptor, HELLO, 0, json.dumps(dict(hello, version=VERSION)).encode())


def take_standard_streams():
    """Standard output belongs to the protocol: what anyone prints from now on goes to standard error."""
    descriptors = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    return descriptors


def serve(name, library, device, rows, environment=None, descriptors=None):
    """Says hello and answers until the other side closes. `environment`: more lines of text for the record."""
    descriptors = descriptors or take_standard_streams()
    say_hello(descriptors[1], {"name": name, "library": library, "device": device, "environment": environment or {},
                               "rows": [row.told for row in rows]})
    buffer = Buffer()
    while serve_one(descriptors, rows, buffer):
        pass


def say_absent(name, why, descriptors=None):
    """A hello of a program that cannot serve."""
    descriptors = descriptors or take_standard_streams()
    say_hello(descriptors[1], {"name": name, "absent": why})


def why_not(trial):
    """Tries something that a device or a library may fail at: None, or the reason for Row(absent=...)."""
    try:
        trial()
    except Exception as error:  # each library raises its own kinds where driver, device or compiler are missing
        return failure_text(error, ABSENT_MOST_BYTES).decode()
    return None


def device_number():
    """The GPU that reductio --device names."""
    return int(os.environ.get("REDUCTIO_DEVICE", "0"))
