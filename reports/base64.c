// SPDX-License-Identifier: MIT
#include "reports/page.h"

void write_base64(const unsigned char *bytes, size_t size, FILE *out) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        unsigned b1 = i + 1 < size ? bytes[i + 1] : 0, b2 = i + 2 < size ? bytes[i + 2] : 0;
        unsigned word = (unsigned)bytes[i] << 16 | b1 << 8 | b2;
        fputc(digits[word >> 18], out);
        fputc(digits[word >> 12 & 63], out);
        fputc(i + 1 < size ? digits[word >> 6 & 63] : '=', out);
        fputc(i + 2 < size ? digits[word & 63] : '=', out);
    }
}
