// SPDX-License-Identifier: MIT
// Variants of a file that is built by itself (reductio check mine.cu). Included by reductio.h.
//
// A `launch` that takes pointers of one type, as of most files on the web, has no row of the other types: what it takes
// is found out here, so that the file need not say it.
#ifndef REDUCTIO_LAUNCH_H
#define REDUCTIO_LAUNCH_H

extern "C" void reductio_register(const struct reductio_variant *variant, bool takes_its_type);
struct reductio_entry {
    reductio_entry(const struct reductio_variant *variant, bool takes_its_type) {
        reductio_register(variant, takes_its_type);
    }
};
#define REDUCTIO_ENTER(variant) static const reductio_entry reductio_entered(&variant, reductio_takes_its_type)

template <bool yes>
struct reductio_fit {
    enum { value = yes };
};
// reductio_fits(in, out, 0) finds out whether `launch` can be called with pointers of these types. Where it takes none
// of the types that there are, it is called all the same: then the compiler says what is wrong with it.
#define REDUCTIO_UNTYPED_LAUNCH                                                                                        \
    template <class In, class Out>                                                                                     \
    static auto reductio_fits(const In *in, Out *out, int)                                                             \
        ->decltype(launch(in, size_t(), out, static_cast<void *>(nullptr), reductio_shape(), reductio_stream()),       \
                   reductio_fit<true>());                                                                              \
    template <class In, class Out>                                                                                     \
    static reductio_fit<false> reductio_fits(const In *in, Out *out, long);                                            \
    template <class In, class Out>                                                                                     \
    struct reductio_fit_of                                                                                             \
        : decltype(reductio_fits(static_cast<const In *>(nullptr), static_cast<Out *>(nullptr), 0)) {};                \
    enum {                                                                                                             \
        reductio_takes_another = reductio_fit_of<float, float>::value || reductio_fit_of<double, double>::value ||     \
                                 reductio_fit_of<float, double>::value,                                                \
        reductio_takes_its_type = reductio_fit_of<reductio_in, reductio_out>::value || !reductio_takes_another         \
    };                                                                                                                 \
    template <class In, class Out>                                                                                     \
    static int reductio_call(reductio_fit<true>, const In *in, size_t n, Out *out, void *workspace,                    \
                             struct reductio_shape shape, reductio_stream stream) {                                    \
        return (int)launch(in, n, out, workspace, shape, stream);                                                      \
    }                                                                                                                  \
    template <class In, class Out>                                                                                     \
    static int reductio_call(reductio_fit<false>, const In *, size_t, Out *, void *, struct reductio_shape,            \
                             reductio_stream) {                                                                        \
        return -1;                                                                                                     \
    }                                                                                                                  \
    static int reductio_untyped_launch(const void *in, size_t n, void *out, void *workspace,                           \
                                       struct reductio_shape shape, void *stream) {                                    \
        return reductio_call(reductio_fit<bool(reductio_takes_its_type)>(), (const reductio_in *)in, n,                \
                             (reductio_out *)out, workspace, shape, (reductio_stream)stream);                          \
    }

#endif
