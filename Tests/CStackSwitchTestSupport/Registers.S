// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if defined(__APPLE__)
#define SYMBOL(name) _##name
#else
#define SYMBOL(name) name
#endif

    .text
    .globl  SYMBOL(call_with_patterns)
    .p2align 4
SYMBOL(call_with_patterns):
#if defined(__x86_64__)
    // rdi = body, rsi = argument, rdx = patterns, rcx = found
    pushq   %rbp
    pushq   %rbx
    pushq   %r12
    pushq   %r13
    pushq   %r14
    pushq   %r15
    pushq   %rcx                // found; seven pushes and the return address: aligned for a call
    movq    %rdi, %rax
    movq    %rsi, %rdi
    movq    0(%rdx), %rbx
    movq    8(%rdx), %rbp
    movq    16(%rdx), %r12
    movq    24(%rdx), %r13
    movq    32(%rdx), %r14
    movq    40(%rdx), %r15
    callq   *%rax
    popq    %rcx
    movq    %rbx, 0(%rcx)
    movq    %rbp, 8(%rcx)
    movq    %r12, 16(%rcx)
    movq    %r13, 24(%rcx)
    movq    %r14, 32(%rcx)
    movq    %r15, 40(%rcx)
    popq    %r15
    popq    %r14
    popq    %r13
    popq    %r12
    popq    %rbx
    popq    %rbp
    retq
#elif defined(__aarch64__)
    // x0 = body, x1 = argument, x2 = patterns, x3 = found
    stp     x29, x30, [sp, #-176]!
    stp     x19, x20, [sp, #16]
    stp     x21, x22, [sp, #32]
    stp     x23, x24, [sp, #48]
    stp     x25, x26, [sp, #64]
    stp     x27, x28, [sp, #80]
    stp     d8, d9, [sp, #96]
    stp     d10, d11, [sp, #112]
    stp     d12, d13, [sp, #128]
    stp     d14, d15, [sp, #144]
    str     x3, [sp, #160]
    mov     x9, x0
    mov     x0, x1
    ldp     x19, x20, [x2]
    ldp     x21, x22, [x2, #16]
    ldp     x23, x24, [x2, #32]
    ldp     x25, x26, [x2, #48]
    ldp     x27, x28, [x2, #64]
    ldr     x29, [x2, #80]
    ldp     d8, d9, [x2, #88]
    ldp     d10, d11, [x2, #104]
    ldp     d12, d13, [x2, #120]
    ldp     d14, d15, [x2, #136]
    blr     x9
    ldr     x3, [sp, #160]
    stp     x19, x20, [x3]
    stp     x21, x22, [x3, #16]
    stp     x23, x24, [x3, #32]
    stp     x25, x26, [x3, #48]
    stp     x27, x28, [x3, #64]
    str     x29, [x3, #80]
    stp     d8, d9, [x3, #88]
    stp     d10, d11, [x3, #104]
    stp     d12, d13, [x3, #120]
    stp     d14, d15, [x3, #136]
    ldp     x19, x20, [sp, #16]
    ldp     x21, x22, [sp, #32]
    ldp     x23, x24, [sp, #48]
    ldp     x25, x26, [sp, #64]
    ldp     x27, x28, [sp, #80]
    ldp     d8, d9, [sp, #96]
    ldp     d10, d11, [sp, #112]
    ldp     d12, d13, [sp, #128]
    ldp     d14, d15, [sp, #144]
    ldp     x29, x30, [sp], #176
    ret
#endif

#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
