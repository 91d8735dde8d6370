// SPDX-License-Identifier: MIT
#include "harness/worker/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void copy_text(char *to, size_t size, const char *from) {
    snprintf(to, size, "%s", from ? from : "");
}

static void fill_card(struct variant_card *card, const struct reductio_variant *variant) {
    const struct reductio_claims *claims = &variant->claims;
    *card = (struct variant_card){.version = PROTOCOL_VERSION,
                                  .accuracy = claims->accuracy,
                                  .same_bits = claims->same_bits,
                                  .keeps_subnormals = claims->keeps_subnormals,
                                  .may_overflow_early = claims->may_overflow_early,
                                  .specials = claims->specials,
                                  .empty = claims->empty,
                                  .all_minus_zero = claims->all_minus_zero,
                                  .has_height = claims->height != NULL,
                                  .has_serial_terms = claims->serial_terms != NULL,
                                  .has_atomics = claims->global_atomics != NULL,
                                  .fixed_placement = variant->fixed_placement,
                                  .is_probe = variant->is_probe,
                                  .max_n = variant->max_n};
    while (card->shape_count < REDUCTIO_MAX_SHAPES && variant->shapes[card->shape_count].threads) {
        card->shapes[card->shape_count] = variant->shapes[card->shape_count];
        card->shape_count++;
    }
    copy_text(card->name, CARD_NAME, variant->name);
    copy_text(card->type, CARD_NAME, variant->type);
    copy_text(card->backend, CARD_NAME, variant->backend);
    copy_text(card->fault_finding, CARD_NAME, variant->fault.finding);
    copy_text(card->fault_detector, CARD_NAME, variant->fault.detector);
    copy_text(card->summary, CARD_TEXT, variant->summary);
    copy_text(card->origin, CARD_TEXT, variant->origin);
    copy_text(card->absent, CARD_TEXT, variant->absent);
}

static int say_absent(const char *message) {
    fprintf(stderr, "\n%s\n", message); // a line of its own, whatever was printed before
    return WORKER_NO_DEVICE;
}

// Standard output takes the cards alone: what a plug-in prints while it is loaded goes to standard error.
static FILE *keep_output_apart(void) {
    int cards = dup(STDOUT_FILENO);
    FILE *to = cards >= 0 ? fdopen(cards, "w") : NULL;
    return to && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 ? to : NULL;
}

static int write_cards(const struct reductio_variant *const *variants, FILE *to) {
    for (size_t i = 0; variants[i]; i++) {
        const struct reductio_variant *variant = variants[i];
        // A name that is cut would never be found again.
        if (strlen(variant->name) >= CARD_NAME || strlen(variant->type) >= CARD_NAME) {
            fprintf(stderr, "The name of variant %s is longer than %d bytes.\n", variant->name, CARD_NAME - 1);
            return WORKER_FAILED;
        }
        struct variant_card card;
        fill_card(&card, variant);
        if (fwrite(&card, sizeof card, 1, to) != 1)
            return WORKER_FAILED;
    }
    return fflush(to) == 0 ? 0 : WORKER_FAILED;
}

int print_cards(const struct worker_errand *errand) {
    char message[BACKEND_MESSAGE] = "";
    FILE *to = errand->load ? keep_output_apart() : stdout;
    if (!to)
        return WORKER_FAILED;
    const struct reductio_variant *const *variants = backend_variants(errand, message);
    int code = variants ? write_cards(variants, to) : say_absent(message);
    if (errand->load) {
        fflush(NULL);
        _exit(code); // what a library does when its process ends is not asked about
    }
    return code;
}

static int write_environment(FILE *to) {
    const char *key, *value;
    for (int i = 0; backend_environment(i, &key, &value); i++)
        if (fprintf(to, "%s %s\n", key, value) < 0)
            return WORKER_FAILED;
    return fflush(to) == 0 ? 0 : WORKER_FAILED;
}

int print_environment(const struct worker_errand *errand) {
    char message[BACKEND_MESSAGE] = "";
    if (!backend_variants(errand, message) || !backend_open(errand->device, message))
        return say_absent(message);
    return write_environment(stdout);
}

int print_description(const struct worker_errand *errand) {
    char message[BACKEND_MESSAGE] = "";
    const struct reductio_variant *const *variants = backend_variants(errand, message);
    if (!variants || !backend_open(errand->device, message))
        return say_absent(message);
    uint64_t count = 0;
    while (variants[count])
        count++;
    if (fwrite(&count, sizeof count, 1, stdout) != 1)
        return WORKER_FAILED;
    int code = write_cards(variants, stdout);
    return code == 0 ? write_environment(stdout) : code;
}
