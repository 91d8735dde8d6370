// SPDX-License-Identifier: MIT
// The very JSON inside the page, as the two streams of pack.h: zlib data (RFC 1950, "deflate" to a browser) in base64,
// which has no character that could end a script element.
#include "reports/pack.h"
#include "reports/page.h"

#include <stdlib.h>
#include <zlib.h>

static bool write_compressed(const char *id, const char *bytes, size_t size, FILE *out) {
    uLongf packed_size = compressBound(size);
    unsigned char *packed = malloc(packed_size);
    bool good =
        packed && compress2(packed, &packed_size, (const unsigned char *)bytes, size, Z_BEST_COMPRESSION) == Z_OK;
    if (good) {
        fprintf(out, "<script type=\"application/octet-stream\" id=\"%s\">", id);
        write_base64(packed, packed_size, out);
        fputs("</script>\n", out);
    }
    free(packed);
    return good;
}

bool page_data(const struct page *page) {
    struct pack pack;
    bool good = pack_make(&pack, page->run) && write_compressed("data", pack.text, pack.text_size, page->out) &&
                write_compressed("codes", pack.codes, pack.codes_size, page->out);
    pack_free(&pack);
    return good;
}
