// SPDX-License-Identifier: MIT
#include "harness/poison.h"
#include "harness/variant_type.h"
#include "harness/worker/worker.h"

bool worker_type_parse(const char *name, struct worker_type *type) {
    *type = (struct worker_type){.poison = 0};
    if (!variant_type_parse(name, &type->in, &type->out))
        return false;
    const struct float_format *in = float_format(type->in), *out = float_format(type->out);
    type->in_size = in->size;
    type->out_size = out->size;
    type->digits = (in->precision < out->precision ? in->precision : out->precision) / 2;
    type->poison = in->size == sizeof(uint16_t) ? POISON_OF_16_BITS : 0;
    return true;
}
