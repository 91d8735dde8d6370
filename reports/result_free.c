// SPDX-License-Identifier: MIT
#include "harness/result.h"
#include "reports/record.h"

#include <stdlib.h>

static void free_record(void *record, const struct record_type *type);

static void *pointer_at(void *record, size_t offset) {
    return *(void **)((char *)record + offset);
}

static void free_items(const struct record_field *field, void *items, size_t length) {
    for (size_t i = 0; items && i < length; i++)
        switch (field->kind) {
        case RECORD_TEXTS:
            free(((char **)items)[i]);
            break;
        case RECORD_PAIRS:
            free(((struct text_pair *)items)[i].key);
            free(((struct text_pair *)items)[i].value);
            break;
        case RECORD_RECORDS:
            free_record((char *)items + i * field->items->size, field->items);
            break;
        default:
            break;
        }
    free(items);
}

static void free_record(void *record, const struct record_type *type) {
    for (const struct record_field *field = type->fields; field->name; field++)
        switch (field->kind) {
        case RECORD_TEXT:
            free(pointer_at(record, field->offset));
            break;
        case RECORD_TEXTS:
        case RECORD_COUNTS:
        case RECORD_PAIRS:
        case RECORD_RECORDS:
            free_items(field, pointer_at(record, field->offset), *(size_t *)((char *)record + field->length_offset));
            break;
        default:
            break;
        }
}

void run_result_free(struct run_result *result) {
    if (!result)
        return;
    free_record(result, &run_record);
    *result = (struct run_result){0};
}
