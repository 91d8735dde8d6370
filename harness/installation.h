// SPDX-License-Identifier: MIT
// Where the parts of this installation lie: beside the program, or in ../libexec/reductio and ../lib/reductio of it. A
// build folder has the same layout.
#ifndef REDUCTIO_INSTALLATION_H
#define REDUCTIO_INSTALLATION_H

// All from malloc.
char *installed_program(const char *name); // path, whether or not there is one
char *installed_folder(const char *name);  // "lib/reductio", ...: path of a folder of the prefix
char *installed_kit(void);                 // what workers for the user's own files are made of

#endif
