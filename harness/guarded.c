// SPDX-License-Identifier: MIT
#include "harness/guarded.h"
#include "harness/poison.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Address space kept unmapped on either side: an index that is off by a factor still lands in it. It costs nothing.
static const size_t GUARD = (size_t)64 << 20;

static size_t round_up(size_t value, size_t unit) {
    return (value + unit - 1) / unit * unit;
}

static bool reserve(struct guarded *buffer, size_t room) {
    guarded_free(buffer);
    size_t size = room + 2 * GUARD;
    void *memory = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    buffer->reservation = memory;
    buffer->reserved = size;
    buffer->end = buffer->reservation + size - GUARD;
    buffer->open = buffer->end;
    return true;
}

// Makes exactly the last `room` bytes before `end` accessible.
static bool open_pages(struct guarded *buffer, size_t room) {
    unsigned char *open = buffer->end - room;
    int failed = 0;
    if (open < buffer->open)
        failed = mprotect(open, (size_t)(buffer->open - open), PROT_READ | PROT_WRITE);
    else if (open > buffer->open)
        failed = mprotect(buffer->open, (size_t)(open - buffer->open), PROT_NONE);
    if (failed)
        return false;
    buffer->open = open;
    return true;
}

void *guarded_place(struct guarded *buffer, size_t bytes, size_t offset) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (bytes > SIZE_MAX / 4 || offset > SIZE_MAX / 8) {
        errno = ENOMEM;
        return NULL;
    }
    size_t span = round_up(offset + bytes, GUARDED_ALIGNMENT);
    size_t room = round_up(span + (offset == 0), page); // never without a low slack
    if (!buffer->reservation || room > buffer->reserved - 2 * GUARD) {
        if (!reserve(buffer, round_up(room + room / 4, page)))
            return NULL;
    }
    if (!open_pages(buffer, room))
        return NULL;
    buffer->data = buffer->end - span + offset;
    buffer->bytes = bytes;
    return buffer->data;
}

void guarded_free(struct guarded *buffer) {
    if (buffer->reservation)
        munmap(buffer->reservation, buffer->reserved);
    *buffer = (struct guarded){.name = buffer->name};
}

uint64_t guarded_pattern(uint64_t place, uint64_t salt) {
    return poison_pattern(place, salt);
}

void guarded_fill(unsigned char *from, size_t bytes, const unsigned char *origin, uint64_t salt) {
    while (bytes > 0) {
        uint64_t at = (uint64_t)(from - origin);
        uint64_t pattern = guarded_pattern(at / 8, salt);
        size_t skip = at % 8, step = 8 - skip < bytes ? 8 - skip : bytes;
        if (step == 8)
            memcpy(from, &pattern, 8);
        else
            memcpy(from, (unsigned char *)&pattern + skip, step);
        from += step;
        bytes -= step;
    }
}

const unsigned char *guarded_find_change(const unsigned char *from, size_t bytes, const unsigned char *origin,
                                         uint64_t salt) {
    while (bytes > 0) {
        uint64_t at = (uint64_t)(from - origin);
        uint64_t pattern = guarded_pattern(at / 8, salt);
        size_t skip = at % 8, step = 8 - skip < bytes ? 8 - skip : bytes;
        const unsigned char *expected = (const unsigned char *)&pattern + skip;
        if (step == 8 ? memcmp(from, expected, 8) != 0 : memcmp(from, expected, step) != 0) { // no call for eight
            while (*from == *expected)
                from++, expected++;
            return from;
        }
        from += step;
        bytes -= step;
    }
    return NULL;
}

void guarded_poison(struct guarded *buffer, uint64_t salt) {
    guarded_fill(buffer->open, (size_t)(buffer->end - buffer->open), buffer->open, salt);
}

bool guarded_is_poison(const struct guarded *buffer, uint64_t salt) {
    return !guarded_find_change(buffer->data, buffer->bytes, buffer->open, salt);
}

const unsigned char *guarded_find_trespass(const struct guarded *buffer, uint64_t salt) {
    if (!buffer->reservation)
        return NULL;
    const unsigned char *found =
        guarded_find_change(buffer->open, (size_t)(buffer->data - buffer->open), buffer->open, salt);
    if (found)
        return found;
    const unsigned char *past = buffer->data + buffer->bytes;
    return guarded_find_change(past, (size_t)(buffer->end - past), buffer->open, salt);
}

// Arithmetic makes a NaN quiet; a copy leaves it as it is.
static bool poison_gives(uint64_t pattern, uint64_t bits, size_t size) {
    static const uint64_t quiet = UINT64_C(1) << 51, quiet_f32 = UINT64_C(1) << 22;
    if (size == sizeof(double))
        return (pattern | quiet) == ((bits | quiet) & INT64_MAX);
    return ((uint32_t)pattern | quiet_f32) == (((uint32_t)bits | quiet_f32) & INT32_MAX);
}

const unsigned char *guarded_find_source(const unsigned char *from, size_t bytes, const unsigned char *origin,
                                         uint64_t salt, uint64_t bits, size_t size) {
    for (; bytes >= size; from += size, bytes -= size) {
        uint64_t at = (uint64_t)(from - origin), pattern = guarded_pattern(at / 8, salt);
        if (poison_gives(pattern >> 8 * (at % 8), bits, size))
            return from;
    }
    return NULL;
}

bool guarded_trace(const struct guarded *buffer, uint64_t salt, uint64_t bits, size_t size, char *text,
                   size_t text_size) {
    if (!buffer->reservation)
        return false;
    const unsigned char *source = guarded_find_source(buffer->data, buffer->bytes, buffer->open, salt, bits, size);
    if (!source)
        return false;
    guarded_append(text, text_size, "byte ");
    guarded_append_number(text, text_size, (uint64_t)(source - buffer->data));
    guarded_append(text, text_size, " of ");
    guarded_append(text, text_size, buffer->name);
    return true;
}

bool guarded_trace_slack(const struct guarded *buffer, uint64_t salt, uint64_t bits, size_t size, char *text,
                         size_t text_size) {
    const unsigned char *data = buffer->data, *open = buffer->open;
    if (!buffer->reservation)
        return false;
    // The slack begins at a page and the data at a multiple of `size`.
    const unsigned char *source = guarded_find_source(open, (size_t)(data - open), open, salt, bits, size);
    const unsigned char *past = data + (buffer->bytes + size - 1) / size * size;
    if (!source && past < buffer->end)
        source = guarded_find_source(past, (size_t)(buffer->end - past), open, salt, bits, size);
    return source && guarded_explain(buffer, source, text, text_size);
}

void guarded_append(char *text, size_t size, const char *more) {
    size_t at = 0;
    while (at < size && text[at])
        at++;
    while (at + 1 < size && *more)
        text[at++] = *more++;
    if (at < size)
        text[at] = 0;
}

void guarded_append_number(char *text, size_t size, uint64_t number) {
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = 0;
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    guarded_append(text, size, digits + at);
}

bool guarded_explain(const struct guarded *buffer, const void *address, char *text, size_t size) {
    const unsigned char *at = address;
    if (!buffer->reservation || at < buffer->reservation || at >= buffer->reservation + buffer->reserved)
        return false;
    const unsigned char *past = buffer->data + buffer->bytes;
    bool after = at >= past;
    if (!after && at >= buffer->data)
        return false;
    uint64_t distance = after ? (uint64_t)(at - past) : (uint64_t)(buffer->data - at);
    if (after && distance == 0) {
        guarded_append(text, size, "just past the end of ");
    } else {
        guarded_append_number(text, size, distance);
        guarded_append(text, size, distance == 1 ? " byte " : " bytes ");
        guarded_append(text, size, after ? "past the end of " : "before the start of ");
    }
    guarded_append(text, size, buffer->name);
    return true;
}
