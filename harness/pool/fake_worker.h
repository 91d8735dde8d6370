// SPDX-License-Identifier: MIT
#ifndef REDUCTIO_FAKE_WORKER_H
#define REDUCTIO_FAKE_WORKER_H

#include "harness/protocol.h"

enum { FAKE_TRIGGER = 666, FAKE_PRINTED_BYTES = 160000 };

#endif
