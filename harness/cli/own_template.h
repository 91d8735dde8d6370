// SPDX-License-Identifier: MIT
// The file that `reductio new` writes, in which @NAME@ stands for the name; embedded by CMake.
#ifndef REDUCTIO_OWN_TEMPLATE_H
#define REDUCTIO_OWN_TEMPLATE_H

extern const char own_template_cu_in[], own_template_cu_in_sha256[];

#endif
