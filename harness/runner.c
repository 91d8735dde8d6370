// SPDX-License-Identifier: MIT
#include "harness/runner.h"

#include "harness/batch.h"
#include "harness/environment.h"
#include "harness/hardware.h"
#include "harness/note.h"
#include "harness/pool/child.h"
#include "harness/pool/shelf.h"
#include "harness/progress.h"
#include "harness/support.h"
#include "harness/throughput.h"
#include "harness/verdict.h"
#include "text/foreign_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { START_LIMIT_SECONDS = 30, DEFAULT_LIMIT_SECONDS = 60, TIME_WARMUPS = 3 };
// A planted fault that ends its worker does so in most cells, and is caught by the first. Where a worker takes a second
// to start, as on a GPU, that of the others is not worth minutes.
enum { SELFTEST_RESTART_SECONDS = 10 };

struct run {
    const struct plan *plan;
    const struct selection *selection;
    const struct run_options *options;
    struct run_result *result;
    struct batch batch;
    bool *done;        // per cell
    size_t first_late; // cells of which a second worker answered, because a first had run out of time
    size_t first_lost; // and because a first had died
    size_t unchecked;  // cells that the harness could not check
    struct progress progress;
};

// What a backend says of a cell need not end as a sentence does.
static char *end_sentence(char *text) {
    size_t length = text ? strlen(text) : 0;
    if (!length || strchr(".!?", text[length - 1]))
        return text;
    char *ended = text_format("%s.", text);
    free(text);
    return ended;
}

static void note_output(struct cell_result *cell, const struct pool_answer *answer) {
    enum { MOST_BYTES = 200 };
    bool cut = answer->output_bytes > MOST_BYTES;
    char *said = text_format("%.*s", cut ? MOST_BYTES : (int)answer->output_bytes, answer->output);
    text_clean(said, strlen(said));
    char *kept = command_without_folders(said); // __FILE__ in a message may hold a user's name
    cell->detail = text_append(end_sentence(cell->detail), "It printed: \"%s\"%s.", kept,
                               cut || answer->output_cut ? " and more" : "");
    free(said);
    free(kept);
}

// Where the reply is the pool's own, its sentence tells of both.
static void note_first_worker(struct run *run, struct cell_result *cell, const struct pool_answer *answer) {
    if (!answer->from_worker)
        return;
    if (answer->first_late) {
        run->first_late++;
        cell->detail =
            text_append(end_sentence(cell->detail), "A first worker had run out of time on it; this is of a second.");
    } else if (answer->first_death) {
        run->first_lost++;
        cell->detail = text_append(end_sentence(cell->detail),
                                   "A first worker was lost over it; this is of a second. Of "
                                   "the first: %s",
                                   answer->first_death);
    }
}

// A launch shape that the variant does not list, and does not take.
static bool is_unsupported(const struct plan_cell *planned, enum work_outcome outcome) {
    return (planned->optional && outcome == WORK_REFUSED) || (planned->foreign && outcome == WORK_HUNG);
}

static void note_unsupported(struct run *run, struct cell_result *cell, const char *why) {
    add_finding(cell, FINDING_NOT_CHECKED, NULL, "The variant does not list this launch shape, and in it: %s",
                *why ? why : "it did not run.");
    cell->detail = end_sentence(cell->detail);
    add_note(run->result, text_format("%s was not tested: %s", cell->id, cell->detail));
}

static void judge_answer(void *context, const struct pool_answer *answer) {
    struct run *run = context;
    size_t index = answer->item->tag;
    const struct plan_cell *planned = &run->plan->cells[index];
    const struct catalog_variant *row = &run->plan->catalog->variants[planned->variant];
    struct cell_result *cell = &run->result->cells[index];
    progress_step(&run->progress);
    if (is_unsupported(planned, answer->reply->outcome)) {
        run->done[index] = planned->named;
        if (planned->named)
            note_unsupported(run, cell, answer->reply->message);
        return;
    }
    bool covers = planned->dataset == NO_INDEX;
    size_t place = covers ? 0 : (size_t)planned->dataset - run->batch.first;
    struct evidence evidence = {
        .card = &row->card,
        .in = row->in,
        .out = row->out,
        .exact = covers ? NULL : &run->batch.truths[place],
        .x = covers ? NULL : batch_data(&run->batch, place),
        .reply = answer->reply,
        .runs = covers ? NULL : answer->payload,
        .multiplicity = covers ? answer->payload : NULL,
        .shape = planned->shape,
        .n = planned->n,
    };
    judge_cell(cell, &evidence);
    if (run->plan->timed)
        note_throughput(cell, planned->n * float_format(row->in)->size, answer->reply->read_ns);
    if (answer->output_bytes)
        note_output(cell, answer);
    note_first_worker(run, cell, answer);
    run->unchecked += cell->harness_fault != NULL;
    run->done[index] = true;
}

static struct pool_item item_of(const struct run *run, size_t index) {
    const struct plan_cell *cell = &run->plan->cells[index];
    bool covers = cell->dataset == NO_INDEX;
    return (struct pool_item){
        .tag = index,
        .request = {.kind = covers             ? WORK_COVERAGE
                            : run->plan->timed ? WORK_TIME
                                               : WORK_SUM,
                    .data_offset = covers ? 0 : run->batch.offsets[(size_t)cell->dataset - run->batch.first],
                    .n = cell->n,
                    .shape = cell->shape,
                    .offset = cell->offset,
                    .runs = cell->runs,
                    .warmups = run->plan->timed ? TIME_WARMUPS : 0,
                    .schedule = cell->schedule},
    };
}

static unsigned device_of(const struct run *run, const struct plan_cell *cell) {
    return cell->schedule.kind == SCHEDULE_DEVICE ? (unsigned)cell->schedule.seed : run->plan->catalog->device;
}

// A sanitizer's worker is dear to start, as each thread that it has ever run costs a millisecond there: rows share
// workers. Those that have run large blocks are slower ever after (each clock has an entry a thread) and serve no
// others.
enum sharing { SHARES_NOTHING, SHARES_SMALL_BLOCKS, SHARES_LARGE_BLOCKS, SHARING_COUNT };

static enum sharing sharing_of(const struct run *run, const struct plan_cell *cell) {
    enum { SMALL_BLOCK = 128 };
    const struct catalog *catalog = run->plan->catalog;
    if (!catalog->backends[catalog->variants[cell->variant].backend].hazard)
        return SHARES_NOTHING;
    return cell->shape.threads <= SMALL_BLOCK ? SHARES_SMALL_BLOCKS : SHARES_LARGE_BLOCKS;
}

// Whose cells make up a queue. Backends without GPUs have one device, and so has a catalogue without.
struct queue_key {
    size_t variant;
    unsigned device;
    enum sharing sharing;
};

static size_t add_items(const struct run *run, struct queue_key key, struct pool_item *items) {
    size_t count = 0;
    for (size_t i = 0; i < run->plan->cell_count; i++) {
        const struct plan_cell *cell = &run->plan->cells[i];
        if ((size_t)cell->variant == key.variant && device_of(run, cell) == key.device &&
            sharing_of(run, cell) == key.sharing && batch_holds(&run->batch, cell))
            items[count++] = item_of(run, i);
    }
    return count;
}

static unsigned count_devices(const struct catalog *catalog) {
    return catalog->devices > catalog->device ? catalog->devices : catalog->device + 1;
}

// The cells of plug-ins that could not be loaded are answered without a worker.
static void answer_faults(struct run *run) {
    for (size_t i = 0; i < run->plan->cell_count; i++) {
        const struct plan_cell *cell = &run->plan->cells[i];
        const struct catalog_backend *fault = catalog_fault(run->plan->catalog, (size_t)cell->variant);
        if (!fault || !batch_holds(&run->batch, cell))
            continue;
        struct pool_item item = item_of(run, i);
        struct work_reply reply = {.version = PROTOCOL_VERSION, .outcome = fault->outcome};
        snprintf(reply.message, sizeof reply.message, "%s", fault->fault);
        judge_answer(run, &(struct pool_answer){.item = &item, .reply = &reply});
    }
}

// A sanitizer takes its time to tell of the first of many races: a short limit, such as the selftest's, is not for it.
static double least_limit(const struct run *run, const struct catalog_backend *backend) {
    enum { HAZARD_SECONDS = 60 };
    return backend->hazard && run->selection->limit_is_short ? HAZARD_SECONDS : 0;
}

static struct pool_queue queue_of(const struct run *run, struct queue_key key) {
    const struct catalog_variant *row = &run->plan->catalog->variants[key.variant];
    const struct catalog_backend *backend = &run->plan->catalog->backends[row->backend];
    return (struct pool_queue){.worker = backend->worker,
                               .load = backend->load,
                               .start_limit_seconds = backend->start_seconds,
                               .limit_seconds = least_limit(run, backend),
                               .sharing = key.sharing,
                               .backend = row->card.backend,
                               .variant = row->card.name,
                               .type = row->card.type,
                               .device = (int)key.device,
                               .data = run->batch.file.fd};
}

static size_t most_queues(const struct catalog *catalog) {
    return catalog->variant_count * count_devices(catalog) * SHARING_COUNT;
}

// One queue a variant, GPU and kind of worker, its cells in the order of the plan. *items receives the array that the
// queues point into.
static size_t make_queues(const struct run *run, struct pool_queue *queues, struct pool_item **items) {
    const struct catalog *catalog = run->plan->catalog;
    size_t queue_count = 0;
    *items = must_calloc(run->plan->cell_count, sizeof **items);
    struct pool_item *next = *items;
    for (size_t i = 0; i < most_queues(catalog); i++) {
        size_t devices = count_devices(catalog), rows = catalog->variant_count;
        struct queue_key key = {.sharing = (enum sharing)(i / (rows * devices)),
                                .variant = i / devices % rows,
                                .device = (unsigned)(i % devices)};
        bool hazard = catalog->backends[catalog->variants[key.variant].backend].hazard;
        bool possible = hazard == (key.sharing != SHARES_NOTHING) && !catalog_fault(catalog, key.variant);
        size_t count = possible ? add_items(run, key, next) : 0;
        if (!count)
            continue;
        queues[queue_count] = queue_of(run, key);
        queues[queue_count].items = next;
        queues[queue_count++].item_count = count;
        next += count;
    }
    return queue_count;
}

static bool run_batch(struct run *run) {
    const struct catalog *catalog = run->plan->catalog;
    struct pool_queue *queues = must_calloc(most_queues(catalog), sizeof *queues);
    struct worker_shelf shelf = {.shared_only = true};
    struct pool_item *items;
    size_t count = make_queues(run, queues, &items);
    answer_faults(run);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const struct selection *selection = run->selection;
    struct pool_options options = {
        .jobs = selection->jobs ? selection->jobs
                : cores > 0     ? (unsigned)cores
                                : 1,
        .limit_seconds = selection->limit_seconds ? selection->limit_seconds : DEFAULT_LIMIT_SECONDS,
        .start_limit_seconds = START_LIMIT_SECONDS,
        .restart_limit_seconds = selection->limit_is_short ? SELFTEST_RESTART_SECONDS : 0,
        .exclusive_backend = "cuda",
        .interrupted = run->options->interrupted,
        .shelf = &shelf,
    };
    char message[BACKEND_MESSAGE];
    enum pool_end end = pool_run(queues, count, &options, judge_answer, run, message);
    shelf_close(&shelf);
    free(queues);
    free(items);
    if (end == POOL_FAILED)
        harness_failed("%s", message);
    return end == POOL_FINISHED;
}

static void name_cells(struct run *run) {
    const struct plan *plan = run->plan;
    for (size_t i = 0; i < plan->cell_count; i++) {
        const struct plan_cell *planned = &plan->cells[i];
        struct cell_key key;
        char id[CELL_ID_TEXT], shape[32], schedule[SCHEDULE_TEXT];
        plan_cell_key(plan, planned, &key);
        cell_key_print(&key, id);
        shape_print(planned->shape, shape, sizeof shape);
        schedule_name(planned->schedule, schedule);
        run->result->cells[i] = (struct cell_result){
            .id = must_copy_text(id),
            .variant = (size_t)planned->variant,
            .dataset = planned->dataset == NO_INDEX ? SIZE_MAX : (size_t)planned->dataset,
            .n = planned->n,
            .shape = must_copy_text(shape),
            .schedule = must_copy_text(schedule),
            .offset = planned->offset,
            .relative_error = NAN,
            .error_over_uA = NAN,
            .error_over_bound = NAN,
            .bound_over_sum = NAN,
            .ulps = NAN,
        };
    }
}

static char *utc_now(void) {
    char text[32];
    time_t now = time(NULL);
    struct tm parts;
    gmtime_r(&now, &parts);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return must_copy_text(text);
}

static void begin_result(struct run *run) {
    struct run_result *result = run->result;
    const struct run_options *options = run->options;
    *result = (struct run_result){
        .command = must_copy_text(options->command),
        .tier = must_copy_text(run->selection->tier == TIER_FULL ? "full" : "smoke"),
        .seed = run->selection->seed,
        .shard_index = run->selection->shard_index,
        .shard_count = run->selection->shard_count,
        .started = utc_now(),
        .cell_count = run->plan->cell_count,
        .dataset_count = run->plan->dataset_count,
    };
    record_command_line(result, options->argv, options->argc);
    result->cells = must_calloc(result->cell_count, sizeof *result->cells);
    result->datasets = must_calloc(result->dataset_count, sizeof *result->datasets);
    name_cells(run);
}

static void free_cell_identity(struct cell_result *cell) {
    free(cell->id);
    free(cell->shape);
    free(cell->schedule);
}

// After an interruption: only what was run stays in the record.
static void drop_what_was_not_run(struct run *run, size_t datasets_made) {
    size_t count = 0;
    for (size_t i = 0; i < run->result->cell_count; i++) {
        if (run->done[i])
            run->result->cells[count++] = run->result->cells[i];
        else
            free_cell_identity(&run->result->cells[i]);
    }
    run->result->cell_count = count;
    run->result->dataset_count = datasets_made;
}

// A sentence for the record that is also for whoever watches.
static void tell(struct run *run, char *sentence) {
    say_error("%s", sentence);
    add_note(run->result, sentence);
}

// A variant that hangs or dies now and then looks the same as a machine that stalled or somebody's kill, so it is told
// whatever came of it.
static void note_second_tries(struct run *run) {
    if (run->first_late)
        add_note(run->result,
                 text_format("Cells in which a worker ran out of time and a second one answered: %zu; their "
                             "details say so.",
                             run->first_late));
    if (run->first_lost)
        tell(run, text_format("Cells in which a worker was lost and a second one answered: %zu; their details say how.",
                              run->first_lost));
    if (run->unchecked)
        tell(run,
             text_format("Cells that could not be checked, through no fault of their rows: %zu; their details say why.",
                         run->unchecked));
}

void run_plan(const struct plan *plan, const struct selection *selection, const struct run_options *options,
              struct run_result *result) {
    struct run run = {.plan = plan, .selection = selection, .options = options, .result = result};
    double start = monotonic_seconds();
    begin_result(&run);
    run.done = must_calloc(plan->cell_count, sizeof *run.done);
    progress_begin(&run.progress, plan->cell_count, options->quiet);
    bool finished = true;
    size_t next = 0;
    do { // at least once: a plan of coverage maps alone has no datasets
        batch_open(&run.batch, plan, selection, options->batch_bytes, next, result->datasets);
        next = run.batch.end;
        finished = run_batch(&run);
        batch_close(&run.batch);
    } while (finished && next < plan->dataset_count);
    progress_end(&run.progress);
    judge_invariance(plan, result->cells, run.done);
    judge_backends(plan, result->cells, run.done);
    drop_what_was_not_run(&run, next);
    free(run.done);
    note_second_tries(&run);
    result->interrupted = !finished;
    if (options->ask_hardware && finished)
        ask_hardware(plan->catalog, selection, options->interrupted, result);
    result->seconds = monotonic_seconds() - start;
    summarise(plan, options->known, result);
}
