// SPDX-License-Identifier: MIT
// Launches one variant by itself, for tools that watch a process: compute-sanitizer, Nsight Compute. A worker fills its
// buffers with poison and puts guard zones around them, after which memcheck and initcheck have nothing left to see;
// here each array is an allocation of just its size, and nothing writes to output and workspace but the variant.
//
//     reductio-launch-cuda --list
//     reductio-launch-cuda VARIANT TYPE [--n 33,1025] [--shape t256b8] [--calls C] [--device K]
//
// The list has "name type shapes finding detector" a line, "-" for what a variant lacks. Without --shape it takes each
// launch shape of the variant. The data are whole numbers that every correct sum adds exactly. Exit code: 0 all sums
// are right; 1 one is wrong; 2 usage; 77 no such device; 99 CUDA reported an error.
#include "harness/backend.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vector>

enum { RIGHT = 0, WRONG = 1, USAGE = 2, NO_DEVICE = 77, FAILED = 99 };

namespace {

struct arguments {
    const reductio_variant *variant = nullptr;
    std::vector<size_t> sizes = {1, 33, 180, 257, 1025};
    std::vector<reductio_shape> shapes;
    unsigned long calls = 1;
    int device = 0;
};

// An allocation of exactly `bytes` bytes, or of nothing.
struct device_array {
    void *data = nullptr;
    cudaError_t error = cudaSuccess;
    explicit device_array(size_t bytes) {
        if (bytes)
            error = cudaMalloc(&data, bytes);
    }
    device_array(const device_array &) = delete;
    device_array &operator=(const device_array &) = delete;
    ~device_array() {
        cudaFree(data); // after a sticky error it fails too, and that has been told
    }
};

int complain(const char *what, cudaError_t error) {
    fprintf(stderr, "%s: %s (%s).\n", what, cudaGetErrorString(error), cudaGetErrorName(error));
    return FAILED;
}

// The numbers that a variant is given or returns: of which `whole` is the largest N such that all of 0, 1, ..., N are.
struct number_format {
    const char *name;
    size_t bytes;
    double whole;
    void (*store)(void *to, double value);
    double (*load)(const void *from);
};

template <class T>
void store_number(void *to, double value) {
    const T number(value);
    memcpy(to, &number, sizeof number);
}

template <class T>
double load_number(const void *from) {
    T number;
    memcpy(&number, from, sizeof number);
    return double(float(number));
}

template <>
double load_number<double>(const void *from) {
    double number;
    memcpy(&number, from, sizeof number);
    return number;
}

template <class T>
constexpr number_format format_of(const char *name, double whole) {
    return {name, sizeof(T), whole, store_number<T>, load_number<T>};
}

const number_format formats[] = {
    format_of<float>("f32", 16777216),
    format_of<double>("f64", 9007199254740992),
    format_of<__half>("f16", 2048),
    format_of<__nv_bfloat16>("bf16", 256),
};

// Of the text up to a colon or its end; NULL if there is none of that name.
const number_format *find_format(const char *text) {
    const size_t length = strcspn(text, ":");
    for (const number_format &format : formats)
        if (strlen(format.name) == length && strncmp(format.name, text, length) == 0)
            return &format;
    return nullptr;
}

// A type is "f32", or "f32:f64" where what comes out is another one.
struct variant_format {
    const number_format *in, *out;
    explicit variant_format(const char *type) : in(find_format(type)), out(in) {
        if (const char *colon = strchr(type, ':'))
            out = find_format(colon + 1);
    }
    bool known() const { return in && out; }
    // What every accumulator between the two holds exactly.
    double whole() const { return in->whole < out->whole ? in->whole : out->whole; }
};

// Element i of n: 1, 2, ..., 16, 1, 2, ... where the sum of so many is `whole` at most; otherwise 1 in so many places,
// at equal distances, that it is half of it at most, and 0 between them. No addition rounds, in whatever order.
double element(size_t i, size_t n, double whole) {
    if (double(n) * 16 <= whole)
        return double(i % 16 + 1);
    const size_t places = size_t(whole) / 2, distance = (n + places - 1) / places;
    return double(i % distance == 0);
}

double exact_total(size_t n, double whole) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += element(i, n, whole);
    return sum;
}

cudaError_t upload(void *to, size_t n, const variant_format &format) {
    std::vector<unsigned char> host(n * format.in->bytes);
    for (size_t i = 0; i < n; i++)
        format.in->store(&host[i * format.in->bytes], element(i, n, format.whole()));
    return cudaMemcpy(to, host.data(), host.size(), cudaMemcpyHostToDevice);
}

cudaError_t download(double *value, const void *from, const number_format &format) {
    unsigned char bytes[sizeof(double)];
    const cudaError_t error = cudaMemcpy(bytes, from, format.bytes, cudaMemcpyDeviceToHost);
    *value = format.load(bytes);
    return error;
}

// The launch returns the first error that it sees; what its kernels did shows at the next wait.
cudaError_t launch_once(const reductio_variant *variant, const device_array &in, size_t n, const device_array &out,
                        const device_array &workspace, reductio_shape shape) {
    const cudaError_t returned =
        static_cast<cudaError_t>(variant->launch(in.data, n, out.data, workspace.data, shape, nullptr));
    const cudaError_t finished = cudaDeviceSynchronize();
    return returned != cudaSuccess ? returned : finished;
}

int run_cell(const arguments &given, size_t n, reductio_shape shape) {
    const reductio_variant *variant = given.variant;
    const variant_format format(variant->type);
    const size_t room = variant->workspace_bytes ? variant->workspace_bytes(n, shape) : 0;
    const device_array in(n * format.in->bytes), out(format.out->bytes), workspace(room);
    for (const device_array *array : {&in, &out, &workspace})
        if (array->error != cudaSuccess)
            return complain("cudaMalloc", array->error);
    cudaError_t error = upload(in.data, n, format);
    if (error != cudaSuccess)
        return complain("the upload", error);
    for (unsigned long call = 0; call < given.calls && error == cudaSuccess; call++)
        error = launch_once(variant, in, n, out, workspace, shape);
    if (error != cudaSuccess)
        return complain("the launch", error);
    double got = 0;
    error = download(&got, out.data, *format.out);
    if (error != cudaSuccess)
        return complain("the download", error);
    const double exact = exact_total(n, format.whole());
    printf("n %zu t%ub%u got %.17g exact %.17g\n", n, shape.threads, shape.blocks, got, exact);
    return got == exact ? RIGHT : WRONG;
}

// A sticky error ends the process: nothing after it would run.
int run_all(const arguments &given) {
    int worst = RIGHT;
    for (const reductio_shape shape : given.shapes)
        for (const size_t n : given.sizes) {
            if (given.variant->max_n && n > given.variant->max_n)
                continue;
            const int code = run_cell(given, n, shape);
            worst = code > worst ? code : worst;
            if (code == FAILED && cudaDeviceSynchronize() != cudaSuccess)
                return FAILED;
        }
    return worst;
}

// All variants of the executable, which loads none.
const reductio_variant *const *all_variants() {
    static const worker_errand errand = {};
    static char message[BACKEND_MESSAGE];
    return backend_variants(&errand, message);
}

int list_variants() {
    for (const reductio_variant *const *next = all_variants(); next && *next; next++) {
        const reductio_variant *variant = *next;
        if (variant->absent || variant->is_probe)
            continue;
        printf("%s\t%s\t", variant->name, variant->type);
        for (size_t s = 0; s < REDUCTIO_MAX_SHAPES && variant->shapes[s].threads; s++)
            printf("%st%ub%u", s ? "," : "", variant->shapes[s].threads, variant->shapes[s].blocks);
        printf("\t%s\t%s\n", variant->fault.finding ? variant->fault.finding : "-",
               variant->fault.detector ? variant->fault.detector : "-");
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? RIGHT : FAILED;
}

const reductio_variant *find_variant(const char *name, const char *type) {
    for (const reductio_variant *const *next = all_variants(); next && *next; next++)
        if (strcmp((*next)->name, name) == 0 && strcmp((*next)->type, type) == 0)
            return *next;
    return nullptr;
}

bool parse_sizes(const char *text, std::vector<size_t> *sizes) {
    sizes->clear();
    for (char *end; *text >= '0' && *text <= '9'; text = *end == ',' ? end + 1 : end)
        sizes->push_back(strtoull(text, &end, 10));
    return !sizes->empty() && !*text;
}

bool parse_shape(const char *text, std::vector<reductio_shape> *shapes) {
    reductio_shape shape = {};
    int used = 0;
    if (sscanf(text, "t%u%n", &shape.threads, &used) != 1 ||
        (text[used] && sscanf(text + used, "b%u", &shape.blocks) != 1))
        return false;
    shapes->push_back(shape);
    return shape.threads > 0;
}

bool parse_option(const char *option, const char *value, arguments *given) {
    if (strcmp(option, "--n") == 0)
        return parse_sizes(value, &given->sizes);
    if (strcmp(option, "--shape") == 0)
        return parse_shape(value, &given->shapes);
    if (strcmp(option, "--calls") == 0)
        return sscanf(value, "%lu", &given->calls) == 1 && given->calls > 0;
    return strcmp(option, "--device") == 0 && sscanf(value, "%d", &given->device) == 1;
}

bool parse_arguments(int argc, char **argv, arguments *given) {
    if (argc < 3)
        return false;
    given->variant = find_variant(argv[1], argv[2]);
    if (!given->variant) {
        fprintf(stderr, "There is no variant %s of type %s.\n", argv[1], argv[2]);
        return false;
    }
    if (!variant_format(given->variant->type).known()) {
        fprintf(stderr, "Numbers of the type %s are not known here.\n", given->variant->type);
        return false;
    }
    int next = 3;
    for (; next + 1 < argc; next += 2)
        if (!parse_option(argv[next], argv[next + 1], given))
            return false;
    for (size_t s = 0; given->shapes.empty() && s < REDUCTIO_MAX_SHAPES && given->variant->shapes[s].threads; s++)
        given->shapes.push_back(given->variant->shapes[s]);
    return next == argc;
}

} // namespace

int main(int argc, char **argv) {
    arguments given;
    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return list_variants();
    if (!parse_arguments(argc, argv, &given)) {
        fprintf(stderr, "Usage: %s --list | VARIANT TYPE [--n 33,1025] [--shape t256b8] [--calls C] [--device K]\n",
                argv[0]);
        return USAGE;
    }
    if (cudaSetDevice(given.device) != cudaSuccess) {
        fprintf(stderr, "CUDA device %d does not start.\n", given.device);
        return NO_DEVICE;
    }
    return run_all(given);
}
