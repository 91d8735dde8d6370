// SPDX-License-Identifier: MIT
// Whether a compiler that failed was short of something that the machine did not have: then the file is not to blame.
#ifndef REDUCTIO_OWN_LACK_H
#define REDUCTIO_OWN_LACK_H

#include "harness/pool/gather.h"

enum own_lack {
    OWN_LACKS_NOTHING, // or nothing that it tells of
    OWN_LACKS_ROOM,    // on a disk
    OWN_LACKS_MACHINE  // memory, descriptors or processes; or something ended it from outside
};

// Of a program that has not ended well. *words, from malloc: the line in which it says so, cleaned, or how it ended;
// NULL where it lacks nothing.
enum own_lack own_find_lack(const struct gathered *program, char **words);

#endif
