// SPDX-License-Identifier: MIT
// The very JSON inside the page: what report_write_json writes, as zlib data (RFC 1950, "deflate" to a browser) in
// base64, which has no character that could end a script element.
#include "reports/page.h"
#include "reports/reports.h"

#include <stdlib.h>
#include <zlib.h>

static bool write_compressed(const char *text, size_t size, FILE *out) {
    uLongf packed_size = compressBound(size);
    unsigned char *packed = malloc(packed_size);
    bool good =
        packed && compress2(packed, &packed_size, (const unsigned char *)text, size, Z_BEST_COMPRESSION) == Z_OK;
    if (good) {
        fputs("<script type=\"application/octet-stream\" id=\"data\">", out);
        write_base64(packed, packed_size, out);
        fputs("</script>\n", out);
    }
    free(packed);
    return good;
}

bool page_data(const struct page *page) {
    char *text = NULL, message[REPORT_MESSAGE];
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return false;
    bool good = report_write_json(page->run, memory, message);
    good = fclose(memory) == 0 && good && write_compressed(text, size, page->out);
    free(text);
    return good;
}
