// SPDX-License-Identifier: MIT
#include "harness/hardware.h"

#include "harness/hardware_questions.h"
#include "harness/memory_file.h"
#include "harness/note.h"
#include "harness/pool/pool.h"
#include "harness/runner.h"
#include "harness/support.h"
#include "harness/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOT_BYTES = 256, LIMIT_SECONDS = 60, FORMATS = 2 };

static const char *operation_name(enum probe_operation operation) {
    static const char *const names[] = {
        [PROBE_ADD] = "addition",
        [PROBE_MULTIPLY_ADD] = "product and addition",
        [PROBE_GLOBAL_ATOMIC] = "atomicAdd, global memory",
        [PROBE_SHARED_ATOMIC] = "atomicAdd, shared memory",
        [PROBE_MOVE] = "move through shared memory and a shuffle",
    };
    return names[operation];
}

// ---- one answer ----

static char *hex_text(enum float_type type, uint64_t bits) {
    char text[FLOAT_TEXT];
    if (float_is_nan(type, bits))
        return text_format("nan 0x%llx", (unsigned long long)bits);
    float_to_hex(type, bits, text);
    return must_copy_text(text);
}

static char *operands_text(enum float_type type, const struct hardware_question *question) {
    char *text = NULL;
    for (unsigned i = 0; i < question->count; i++) {
        char *operand = hex_text(type, value_bits(question->operands[i], type)), *longer;
        longer = text ? text_format("%s, %s", text, operand) : must_copy_text(operand);
        free(text);
        free(operand);
        text = longer;
    }
    return text;
}

static bool is_as_stated(const struct hardware_question *question, enum float_type type, bool emulated,
                         uint64_t observed) {
    uint64_t expected = value_bits(question->expected[type], type);
    enum comparison comparison = question->comparison[type];
    bool by_class = comparison == BY_CLASS || (comparison == BITS_ON_GPU && emulated);
    return by_class ? float_same(type, expected, observed) : expected == observed;
}

static char *expected_text(const struct hardware_question *question, enum float_type type, bool emulated) {
    enum comparison comparison = question->comparison[type];
    if (comparison == BY_CLASS || (comparison == BITS_ON_GPU && emulated))
        return must_copy_text("nan");
    return hex_text(type, value_bits(question->expected[type], type));
}

// ---- asking ----

struct asking {
    const struct catalog *catalog;
    struct run_result *result;
};

// The tag of an item: the probe's place in the catalogue and the question's in the table.
static void take_answer(void *context, const struct pool_answer *answer) {
    struct asking *asking = context;
    const struct catalog_variant *probe = &asking->catalog->probes[answer->item->tag / hardware_question_count];
    const struct hardware_question *question = &hardware_questions[answer->item->tag % hardware_question_count];
    bool emulated = strcmp(probe->card.backend, "cuda") != 0;
    if (harness_fault((enum work_outcome)answer->reply->outcome)) {
        if (!asking->result->hardware_unasked++)
            say_error("the machine was not asked on %s, %s: %s", probe->card.backend, probe->card.type,
                      answer->reply->message);
        add_note(asking->result, text_format("What the machine does was not asked on %s, %s: %s", probe->card.backend,
                                             probe->card.type, answer->reply->message));
        return;
    }
    bool answered = answer->reply->outcome == WORK_DONE && answer->reply->runs && !answer->reply->output_untouched;
    uint64_t bits = answered ? ((const struct work_run *)answer->payload)->bits : 0;
    struct run_result *result = asking->result;
    result->hardware = grow_array(result->hardware, result->hardware_count, sizeof *result->hardware);
    result->hardware[result->hardware_count++] = (struct hardware_result){
        .operation = must_copy_text(operation_name(question->operation)),
        .what = must_copy_text(question->what),
        .backend = must_copy_text(probe->card.backend),
        .type = must_copy_text(probe->card.type),
        .operands = operands_text(probe->in, question),
        .expected = expected_text(question, probe->in, emulated),
        .observed = answered ? hex_text(probe->out, bits) : must_copy_text("no answer"),
        .source = must_copy_text(question->source),
        .detail = answered ? NULL : must_copy_text(answer->reply->message),
        .as_stated = answered && is_as_stated(question, probe->out, emulated, bits),
    };
}

static void store(enum float_type type, uint64_t bits, char *to) {
    memcpy(to, &bits, float_format(type)->size); // the machine is little-endian, as its workers are
}

static void write_question(enum float_type type, const struct hardware_question *question, char *slot) {
    size_t size = float_format(type)->size;
    double operation = question->operation;
    float narrow = (float)operation;
    memcpy(slot, type == FLOAT_F32 ? (const void *)&narrow : &operation, size);
    for (unsigned i = 0; i < question->count; i++)
        store(type, value_bits(question->operands[i], type), slot + (i + 1) * size);
}

static void open_questions(struct memory_file *file) {
    char message[MEMORY_FILE_MESSAGE];
    if (!memory_file_create(file, "reductio-probes", (size_t)FORMATS * hardware_question_count * SLOT_BYTES, message))
        harness_failed("%s", message);
    for (int type = 0; type < FORMATS; type++)
        for (size_t q = 0; q < hardware_question_count; q++)
            write_question((enum float_type)type, &hardware_questions[q],
                           (char *)file->data + ((size_t)type * hardware_question_count + q) * SLOT_BYTES);
    if (!memory_file_seal(file, message))
        harness_failed("%s", message);
}

static void add_items(const struct catalog *catalog, size_t probe, struct pool_item *items) {
    const struct catalog_variant *row = &catalog->probes[probe];
    bool emulated = strcmp(row->card.backend, "cuda") != 0;
    for (size_t q = 0; q < hardware_question_count; q++)
        items[q] =
            (struct pool_item){.tag = probe * hardware_question_count + q,
                               .request = {.kind = WORK_SUM,
                                           .data_offset = ((size_t)row->in * hardware_question_count + q) * SLOT_BYTES,
                                           .n = hardware_questions[q].count + 1,
                                           .shape = row->card.shapes[0],
                                           .runs = 1,
                                           .schedule = {.kind = emulated ? SCHEDULE_IN_ORDER : SCHEDULE_HARDWARE}}};
}

static size_t make_queues(struct catalog *catalog, const struct selection *selection, int data, struct pool_item *items,
                          struct pool_queue *queues) {
    size_t count = 0;
    for (size_t p = 0; p < catalog->probe_count; p++) {
        const struct catalog_variant *row = &catalog->probes[p];
        const struct catalog_backend *backend = &catalog->backends[row->backend];
        if (backend->hazard || !selects_backend(selection, row->card.backend) ||
            !selects_type(selection, row->card.type) || !catalog_is_present(catalog, row->backend))
            continue;
        add_items(catalog, p, items + count * hardware_question_count);
        queues[count] = (struct pool_queue){.worker = backend->worker,
                                            .load = backend->load,
                                            .start_limit_seconds = backend->start_seconds,
                                            .backend = row->card.backend,
                                            .variant = row->card.name,
                                            .type = row->card.type,
                                            .device = (int)catalog->device,
                                            .data = data,
                                            .items = items + count * hardware_question_count,
                                            .item_count = hardware_question_count};
        count++;
    }
    return count;
}

static void note_surprises(struct run_result *result) {
    size_t surprises = count_surprises(result);
    if (!surprises)
        return;
    result->notes = grow_array(result->notes, result->note_count, sizeof *result->notes);
    result->notes[result->note_count++] =
        text_format("%zu of %zu answers of the machine are not as stated: reductio hardware tells which.", surprises,
                    result->hardware_count);
}

void ask_hardware(struct catalog *catalog, const struct selection *selection, const volatile sig_atomic_t *interrupted,
                  struct run_result *result) {
    struct asking asking = {catalog, result};
    struct memory_file file;
    char message[BACKEND_MESSAGE];
    struct pool_queue *queues = must_calloc(catalog->probe_count, sizeof *queues);
    struct pool_item *items = must_calloc(catalog->probe_count * hardware_question_count, sizeof *items);
    open_questions(&file);
    struct pool_options options = {
        .jobs = 1, // so that the answers come in the order of the table
        .limit_seconds = LIMIT_SECONDS,
        .interrupted = interrupted,
    };
    size_t count = make_queues(catalog, selection, file.fd, items, queues);
    if (count && pool_run(queues, count, &options, take_answer, &asking, message) == POOL_FAILED)
        harness_failed("%s", message);
    memory_file_close(&file);
    free(items);
    free(queues);
    note_surprises(result);
}

size_t count_surprises(const struct run_result *result) {
    size_t count = 0;
    for (size_t i = 0; i < result->hardware_count; i++)
        count += !result->hardware[i].as_stated;
    return count;
}
