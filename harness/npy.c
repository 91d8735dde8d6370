// SPDX-License-Identifier: MIT
#include "harness/npy.h"

#include "cases/input_file.h"
#include "harness/memory_file.h"
#include "harness/npy_header.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Headers of a few numbers are short; numpy itself refuses to parse more than 10000 bytes.
enum { MAGIC_BYTES = 8, MOST_HEADER_BYTES = 65536, PIECE_BYTES = 1 << 20, ALIGNMENT = 64 };

static bool read_header(struct npy_header *header, FILE *in, char *message) {
    static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    unsigned char start[MAGIC_BYTES], length[4] = {0};
    size_t got = fread(start, 1, sizeof start, in);
    if (ferror(in)) // a folder
        return npy_say(message, "it cannot be read: %s", strerror(errno));
    if (got < sizeof start || memcmp(start, magic, sizeof magic) != 0)
        return npy_say(message, "it is no .npy file");
    unsigned major = start[6];
    if (major < 1 || major > 3)
        return npy_say(message, "its format version %u.%u is none of 1, 2 and 3", major, start[7]);
    size_t length_bytes = major == 1 ? 2 : 4;
    if (fread(length, 1, length_bytes, in) != length_bytes)
        return npy_say(message, "it ends within its header");
    uint32_t bytes =
        (uint32_t)length[0] | (uint32_t)length[1] << 8 | (uint32_t)length[2] << 16 | (uint32_t)length[3] << 24;
    if (bytes > MOST_HEADER_BYTES)
        return npy_say(message, "its header claims %u bytes", bytes);
    char *text = malloc((size_t)bytes + 1);
    if (!text)
        return npy_say(message, "there is no memory for its header");
    bool whole = fread(text, 1, bytes, in) == bytes;
    text[bytes] = '\0';
    bool good = whole ? strlen(text) == bytes && npy_header_parse(header, text, message)
                      : npy_say(message, "it ends within its header");
    if (whole && !good && !*message)
        npy_say(message, "its header holds a zero byte");
    free(text);
    return good;
}

static bool count_elements(struct npy_array *array, const struct npy_header *header, char *message) {
    size_t size = float_format(header->type)->size, bytes;
    array->type = header->type;
    array->fortran_order = header->fortran_order;
    array->dimensions = header->dimensions;
    array->n = 1;
    for (unsigned d = 0; d < header->dimensions; d++) {
        array->shape[d] = header->shape[d];
        if (__builtin_mul_overflow(array->n, header->shape[d], &array->n))
            return npy_say(message, "its shape overflows");
    }
    if (__builtin_mul_overflow(array->n, size, &bytes))
        return npy_say(message, "its shape overflows");
    return true;
}

// Up to `most` bytes into memory that grows with what has arrived, never with what was claimed.
static bool read_bytes(FILE *in, size_t most, unsigned char **bytes, size_t *count, char *message) {
    size_t room = 0;
    *bytes = NULL;
    *count = 0;
    while (*count < most) {
        if (*count == room) {
            room = room ? room * 2 : PIECE_BYTES;
            room = room < most ? room : most;
            // A stream need not end, and its numbers will be wanted twice.
            unsigned char *larger = room <= memory_available() ? realloc(*bytes, room) : NULL;
            if (!larger)
                return npy_say(message, "there is no memory for %zu bytes of it", room);
            *bytes = larger;
        }
        size_t got = fread(*bytes + *count, 1, room - *count, in);
        *count += got;
        if (!got)
            break;
    }
    return !ferror(in) || npy_say(message, "it cannot be read: %s", strerror(errno));
}

static void swap_bytes(struct npy_array *array) {
    for (uint64_t i = 0; i < array->n; i++) {
        uint64_t bits = float_load(array->type, array->x, i);
        float_store(array->type, array->x, i, __builtin_bswap64(bits) >> (64 - 8 * float_format(array->type)->size));
    }
}

static bool read_raw(struct npy_array *array, FILE *in, enum float_type type, char *message) {
    unsigned char *bytes;
    size_t count, size = float_format(type)->size;
    bool good = read_bytes(in, SIZE_MAX / 2, &bytes, &count, message);
    *array = (struct npy_array){.type = type, .x = bytes, .n = count / size, .dimensions = 1, .shape = {count / size}};
    if (good && count % size)
        return npy_say(message, "its %zu bytes are no whole number of %s elements", count, float_format(type)->name);
    return good;
}

bool npy_read(struct npy_array *array, FILE *in, const enum float_type *raw, char *message) {
    struct npy_header header;
    unsigned char *bytes = NULL;
    size_t count;
    *message = '\0';
    *array = (struct npy_array){0};
    bool good;
    if (raw) {
        good = read_raw(array, in, *raw, message);
    } else {
        good = read_header(&header, in, message) && count_elements(array, &header, message);
        size_t wanted = good ? array->n * float_format(array->type)->size : 0;
        good = good && read_bytes(in, wanted, &bytes, &count, message);
        array->x = bytes;
        if (good && count < wanted)
            good = npy_say(message, "it is cut off: %zu of %zu bytes of numbers are there", count, wanted);
        else if (good && fgetc(in) != EOF)
            good = npy_say(message, "it goes on after its %zu bytes of numbers", wanted);
        if (good && header.swapped)
            swap_bytes(array);
    }
    if (!good)
        npy_free(array);
    return good;
}

bool npy_load(struct npy_array *array, const char *path, const enum float_type *raw, char *message) {
    char why[NPY_MESSAGE];
    bool standard = strcmp(path, "-") == 0;
    FILE *in = standard ? stdin : input_file_open(path, why);
    *array = (struct npy_array){0};
    if (!in)
        return npy_say(message, "%s: %s.", path, why);
    bool good = npy_read(array, in, raw, why);
    if (!standard)
        fclose(in);
    return good || npy_say(message, "%s: %.180s.", standard ? "standard input" : path, why);
}

void npy_free(struct npy_array *array) {
    free(array->x);
    *array = (struct npy_array){0};
}

bool npy_write(FILE *out, enum float_type type, const void *x, uint64_t n) {
    static const char magic[MAGIC_BYTES] = {(char)0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    char header[2 * ALIGNMENT];
    size_t size = float_format(type)->size, prefix = sizeof magic + 2;
    int used = snprintf(header, sizeof header, "{'descr': '%c%s', 'fortran_order': False, 'shape': (%llu,), }",
                        BYTE_ORDER == LITTLE_ENDIAN ? '<' : '>', npy_type_code(type), (unsigned long long)n);
    size_t length = (prefix + (size_t)used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - prefix;
    memset(header + used, ' ', length - (size_t)used);
    header[length - 1] = '\n';
    const unsigned char bytes[2] = {(unsigned char)(length & 0xff), (unsigned char)(length >> 8)};
    return fwrite(magic, 1, sizeof magic, out) == sizeof magic && fwrite(bytes, 1, 2, out) == 2 &&
           fwrite(header, 1, length, out) == length && fwrite(x, size, n, out) == n;
}
