// SPDX-License-Identifier: MIT
// A context is a stack pointer; below it lie the registers that the ABI lets a function keep. The floating-point
// control words are left alone: no kernel changes them, and saving them doubles the cost of a switch.
#include "harness/simt/fiber.h"

#include <stdint.h>

#if defined(__x86_64__)

const char simt_fiber_kind[] = "own switch, x86-64";

// System V ABI, AMD64: rbx, rbp, r12 to r15 survive a call. It ends with a jump and not with a return: where threads at
// one barrier go on with threads that wait at the one before, the processor's stack of return addresses is wrong for
// each of them, while the target of a jump is learned from the first.
__asm__(".text\n"
        ".globl simt_fiber_switch\n"
        ".type simt_fiber_switch, @function\n"
        ".p2align 5\n"
        "simt_fiber_switch:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    popq %rax\n"
        "    jmp *%rax\n"
        ".size simt_fiber_switch, .-simt_fiber_switch\n");

void *simt_fiber_prepare(void *top, size_t size, void (*entry)(void)) {
    (void)size;
    uintptr_t *context = (uintptr_t *)top - 8;
    for (int i = 0; i < 6; i++)
        context[i] = 0;
    context[6] = (uintptr_t)entry;
    context[7] = 0; // where entry would return to; also aligns its stack as a call would
    return context;
}

#elif defined(__aarch64__)

const char simt_fiber_kind[] = "own switch, AArch64";

// AAPCS64: x19 to x29 and the low halves of v8 to v15 survive a call; x30 is where to go on.
__asm__(".text\n"
        ".globl simt_fiber_switch\n"
        ".type simt_fiber_switch, %function\n"
        ".p2align 5\n"
        "simt_fiber_switch:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp, #0]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    mov sp, x1\n"
        "    ldp x19, x20, [sp, #0]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n"
        ".size simt_fiber_switch, .-simt_fiber_switch\n");

void *simt_fiber_prepare(void *top, size_t size, void (*entry)(void)) {
    (void)size;
    uintptr_t *context = (uintptr_t *)top - 20;
    for (int i = 0; i < 20; i++)
        context[i] = 0;
    context[11] = (uintptr_t)entry; // x30
    return context;
}

#else
#error "simt has no switch of its own for this machine: configure with -DREDUCTIO_SIMT_BOOST=ON"
#endif
