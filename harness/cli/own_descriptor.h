// SPDX-License-Identifier: MIT
// What a user's file lacks to be a row: a launch function and a descriptor, written for the kernel that is in it.
#ifndef REDUCTIO_OWN_DESCRIPTOR_H
#define REDUCTIO_OWN_DESCRIPTOR_H

#include <stdio.h>

// The lines to put at the end of the file, with the name and the type of its last kernel where it holds one.
void print_descriptor(const char *path, FILE *out);

#endif
