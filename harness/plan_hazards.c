// SPDX-License-Identifier: MIT
// The cells of the hazard builds. A sanitizer's thread costs up to a millisecond, so blocks are small. Some see no
// races among more than 255 threads, which several blocks of 128 are too many for and one full block is not.
#include "harness/plan.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum { SMALL_BLOCK = 128, LARGE_BLOCK = 1024, LARGE_N = 1023, MOST_N = 1025, GLANCE_N = 257 };

// Cells of one variant on the way: the dataset differs by n alone.
struct hazard_cells {
    struct plan *plan;
    const struct catalog_variant *row;
    struct dataset_key key;
    struct plan_cell cell;
};

static struct hazard_cells start_cells(struct plan *plan, int variant) {
    const struct catalog_variant *row = &plan->catalog->variants[variant];
    return (struct hazard_cells){
        .plan = plan,
        .row = row,
        .key = {.type = row->in, .values = case_values_find("uniform"), .order = "given"},
        .cell = {.variant = variant, .base = NO_INDEX, .schedule = {.kind = SCHEDULE_IN_ORDER}, .runs = 1}};
}

static void add_cell(struct hazard_cells *cells, uint64_t n) {
    if (!catalog_row_takes(cells->row, n))
        return;
    cells->key.n = cells->cell.n = n;
    cells->cell.dataset = plan_add_dataset(cells->plan, &cells->key);
    plan_add_cell(cells->plan, &cells->cell);
}

static void add_sizes(struct hazard_cells *cells, const uint64_t *sizes, size_t count) {
    for (size_t i = 0; i < count; i++)
        add_cell(cells, sizes[i]);
}

static void add_schedules(struct hazard_cells *cells, const struct schedule *schedules, size_t count, uint64_t n) {
    const struct schedule usual = cells->cell.schedule;
    for (size_t i = 0; i < count; i++) {
        cells->cell.schedule = schedules[i];
        add_cell(cells, n);
    }
    cells->cell.schedule = usual;
}

// Each shape that is small enough is run in order, the first of them reversed and drawn as well, and one block of 1024
// threads where that is a shape of the variant. Where no shape is small, or none is named because the kernel fixes its
// own, there are fewer cells.
static void add_smoke_cells(struct hazard_cells *cells) {
    static const uint64_t sizes[] = {1, 33, SMALL_BLOCK, 129, 257, MOST_N}, few_sizes[] = {33, 257};
    static const struct schedule schedules[] = {{.kind = SCHEDULE_REVERSED}, {.kind = SCHEDULE_SEEDED, .seed = 1}};
    bool small = false;
    for (uint32_t i = 0; i < cells->row->card.shape_count; i++) {
        cells->cell.shape = cells->row->card.shapes[i];
        if (cells->cell.shape.threads == LARGE_BLOCK)
            add_cell(cells, LARGE_N);
        if (cells->cell.shape.threads > SMALL_BLOCK)
            continue;
        add_sizes(cells, sizes, COUNT(sizes));
        if (!small)
            add_schedules(cells, schedules, COUNT(schedules), MOST_N);
        small = true;
    }
    if (small)
        return;
    cells->cell.shape = plan_default_shape(&cells->row->card);
    add_sizes(cells, few_sizes, COUNT(few_sizes));
    add_schedules(cells, schedules, COUNT(schedules), MOST_N);
}

// Beside a power of two on both sides, none, primes, and several tiles of every small shape. A large block costs
// seconds, and has a few of them.
static void add_full_shape(struct hazard_cells *cells, struct reductio_shape shape, bool listed) {
    static const uint64_t sizes[] = {0, 1, 2, 3, 31, 33, 63, 65, 127, 129, 255, 257, 509, 1023, 1025, 2049, 4099};
    static const uint64_t few_sizes[] = {1, 255, LARGE_N};
    const bool small = shape.threads <= SMALL_BLOCK;
    static const struct schedule schedules[] = {{.kind = SCHEDULE_REVERSED},
                                                {.kind = SCHEDULE_LANES_APART},
                                                {.kind = SCHEDULE_LAST_BLOCK, .seed = 0},
                                                {.kind = SCHEDULE_LAST_BLOCK, .seed = 1},
                                                {.kind = SCHEDULE_SEEDED, .seed = 1},
                                                {.kind = SCHEDULE_SEEDED, .seed = 2},
                                                {.kind = SCHEDULE_SEEDED, .seed = 3}};
    cells->cell.shape = shape;
    cells->cell.optional = !listed;
    add_sizes(cells, small ? sizes : few_sizes, small ? COUNT(sizes) : COUNT(few_sizes));
    add_schedules(cells, schedules, small ? COUNT(schedules) : 1, MOST_N);
}

// A row that lists one shape ignores it, or can take no other.
static void add_full_cells(struct hazard_cells *cells) {
    const struct variant_card *card = &cells->row->card;
    for (uint32_t i = 0; i < card->shape_count; i++)
        add_full_shape(cells, card->shapes[i], true);
    if (!card->shape_count)
        add_full_shape(cells, plan_default_shape(card), true);
    for (unsigned threads = 32; card->shape_count > 1 && threads <= LARGE_BLOCK; threads *= 2)
        if (!plan_lists_shape(card, (struct reductio_shape){threads, 0}))
            add_full_shape(cells, (struct reductio_shape){threads, 0}, false);
}

void plan_add_hazard_cells(struct plan *plan, int variant, enum case_tier tier) {
    struct hazard_cells cells = start_cells(plan, variant);
    (tier == TIER_FULL ? add_full_cells : add_smoke_cells)(&cells);
}

void plan_add_hazard_glance(struct plan *plan, int variant) {
    static const uint64_t size[] = {GLANCE_N};
    static const struct schedule schedule[] = {{.kind = SCHEDULE_REVERSED}};
    struct hazard_cells cells = start_cells(plan, variant);
    const struct variant_card *card = &cells.row->card;
    cells.cell.shape = plan_default_shape(card);
    for (uint32_t i = 0; i < card->shape_count; i++)
        if (card->shapes[i].threads < cells.cell.shape.threads)
            cells.cell.shape = card->shapes[i];
    add_sizes(&cells, size, COUNT(size));
    add_schedules(&cells, schedule, COUNT(schedule), GLANCE_N);
}
