// SPDX-License-Identifier: MIT
// What a host program may ask of the machine between launches.
#ifndef REDUCTIO_SIMT_CONTROL_H
#define REDUCTIO_SIMT_CONTROL_H

#include "harness/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

// Sets the schedule of the launches that follow and forgets how the last ones ended.
void simt_begin(struct schedule schedule);
// How the launches since then have ended; *message is empty if all went well.
enum work_outcome simt_ended(const char **message);

#ifdef __cplusplus
}
#endif
#endif
