// SPDX-License-Identifier: MIT
// Buffers that betray whoever leaves them. One buffer lies so that its slack ends at an unmapped page:
//
//     unmapped | low slack | data | high slack | unmapped
//              ^ page      ^      ^            ^ page; a multiple of 256 bytes
//                          256k + offset
//
// Both slacks are poisoned and can be checked, and so can the data. Poison differs by place and by salt; read as f64 it
// is a signalling NaN, read as f32 a NaN, signalling at even words (a word cannot be signalling in both types: the
// quiet bit of f32 is one of f64's exponent bits). With a salt that has POISON_OF_16_BITS (poison.h) it is a NaN also
// where it is read as f16 or bf16. Sizes and offsets are in bytes.
#ifndef REDUCTIO_GUARDED_H
#define REDUCTIO_GUARDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GUARDED_ALIGNMENT = 256 };

struct guarded {
    const char *name;           // for messages: "the input"
    unsigned char *reservation; // address space, NULL before the first use
    size_t reserved;            // its size, guards included
    unsigned char *open;        // the first accessible byte
    unsigned char *end;         // one past the last
    unsigned char *data;        // what the user was given
    size_t bytes;
};

// Makes room for `bytes`, `offset` bytes past a 256-byte boundary, and returns its address; the contents are
// undefined. Room of an earlier call is reused. NULL, with errno set, when memory is out.
void *guarded_place(struct guarded *buffer, size_t bytes, size_t offset);
// Gives everything back; the buffer may be placed again.
void guarded_free(struct guarded *buffer);

// The poison of the eight bytes at a multiple of 8 past some origin, `place` of them on.
uint64_t guarded_pattern(uint64_t place, uint64_t salt);
// Fills data and slack with poison.
void guarded_poison(struct guarded *buffer, uint64_t salt);
// Fills any memory with it; `origin` <= `from` is where places are counted from.
void guarded_fill(unsigned char *from, size_t bytes, const unsigned char *origin, uint64_t salt);
// The first byte in [from, from + bytes) that is not poison, NULL if all are.
const unsigned char *guarded_find_change(const unsigned char *from, size_t bytes, const unsigned char *origin,
                                         uint64_t salt);
// True if every byte of the data still is poison.
bool guarded_is_poison(const struct guarded *buffer, uint64_t salt);
// The first changed byte of either slack, NULL if there is none.
const unsigned char *guarded_find_trespass(const struct guarded *buffer, uint64_t salt);

// Arithmetic keeps the payload of a NaN and sets its quiet bit, so that a result which is NaN may tell whose poison it
// is. The first element of `size` bytes (4 or 8) in [from, from + bytes) whose poison would give `bits`; NULL if none
// would. 22 or 19 bits of an f32 are compared, and 42 of an f64.
const unsigned char *guarded_find_source(const unsigned char *from, size_t bytes, const unsigned char *origin,
                                         uint64_t salt, uint64_t bits, size_t size);
// Appends "byte 12 of the workspace" to a string, if the NaN can come from the buffer's data; "4 bytes past the end of
// the input", if it can come from its slack.
bool guarded_trace(const struct guarded *buffer, uint64_t salt, uint64_t bits, size_t size, char *text,
                   size_t text_size);
bool guarded_trace_slack(const struct guarded *buffer, uint64_t salt, uint64_t bits, size_t size, char *text,
                         size_t text_size);

// Appends "12 bytes past the end of the input" or "4 bytes before the start of the input" to a string of `size` bytes,
// if the address lies in the buffer's slack or guards. Async-signal-safe.
bool guarded_explain(const struct guarded *buffer, const void *address, char *text, size_t size);

// Append text and decimal numbers to a string of `size` bytes, truncating; async-signal-safe.
void guarded_append(char *text, size_t size, const char *more);
void guarded_append_number(char *text, size_t size, uint64_t number);

#ifdef __cplusplus
}
#endif
#endif
