// SPDX-License-Identifier: MIT
// The kernel of a user's file that is most likely the one to launch, as far as its text tells: enough to propose a
// launch that compiles.
#ifndef REDUCTIO_OWN_KERNEL_H
#define REDUCTIO_OWN_KERNEL_H

struct own_kernel {
    char *name;               // with its namespaces; NULL: none was found
    char *template_arguments; // "<reductio_in, 256>"; NULL: it is no template, or all have defaults
    char *arguments;          // for its parameters, in their order, from in, n and out
    const char *in, *out; // types of C++ of its elements and sum: "float" where that cannot be told, and reductio_in
                          // and reductio_out where it is a template parameter
    const char *type;     // "f16:f32" where a file needs the line "// Types:" for them, NULL elsewhere
    unsigned width;       // elements of a vector that it reads, 1 for scalars
};

void own_kernel_find(struct own_kernel *kernel, const char *text);
void own_kernel_free(struct own_kernel *kernel);

#endif
