// SPDX-License-Identifier: MIT
#include "harness/pool/slot.h"

#include <string.h>

const char *pool_reply_fault(const struct work_request *request, const struct work_reply *reply) {
    if (reply->version != PROTOCOL_VERSION)
        return "its answer has another protocol version";
    if (reply->sequence != request->sequence)
        return "its answer belongs to another request";
    if (reply->outcome > WORK_HUNG)
        return "its answer has an unknown outcome";
    if (!memchr(reply->message, 0, sizeof reply->message))
        return "the message in its answer has no end";
    if (reply->input_changed > 1 || reply->output_untouched > 1)
        return "its answer has flags that are neither yes nor no";
    if (reply->outcome != WORK_DONE) {
        if (reply->runs || reply->payload)
            return "its answer has results although it failed";
        return reply->message[0] ? NULL : "its answer is a failure without a word of why";
    }
    if (request->kind == WORK_COVERAGE)
        return reply->payload == request->n && reply->runs == 0 ? NULL : "its coverage map has the wrong length";
    return reply->runs == request->runs && reply->payload == request->runs * sizeof(struct work_run)
               ? NULL
               : "its answer has the wrong number of runs";
}

const char *hello_fault(const struct work_reply *hello) {
    struct work_request nothing = {.kind = WORK_SUM};
    const char *fault = pool_reply_fault(&nothing, hello);
    if (!fault && hello->outcome != WORK_DONE && hello->outcome != WORK_REFUSED && hello->outcome != WORK_NOT_POSSIBLE)
        return "its hello is neither a welcome nor a refusal";
    return fault;
}
