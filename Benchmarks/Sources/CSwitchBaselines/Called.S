// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if defined(__APPLE__)
#define SYMBOL(name) _##name
#else
#define SYMBOL(name) name
#endif

    .text
    .globl  SYMBOL(called_switch)
    .p2align 4
SYMBOL(called_switch):
#if defined(__x86_64__)
    // Words: rsp after the return, return address, rbx, rbp, r12 to r15.
    popq    %rax
    movq    %rsp, 0(%rdi)
    movq    %rax, 8(%rdi)
    movq    %rbx, 16(%rdi)
    movq    %rbp, 24(%rdi)
    movq    %r12, 32(%rdi)
    movq    %r13, 40(%rdi)
    movq    %r14, 48(%rdi)
    movq    %r15, 56(%rdi)
    movq    0(%rsi), %rsp
    movq    16(%rsi), %rbx
    movq    24(%rsi), %rbp
    movq    32(%rsi), %r12
    movq    40(%rsi), %r13
    movq    48(%rsi), %r14
    movq    56(%rsi), %r15
    jmpq    *8(%rsi)
#else
    // Words: sp, return address, x19 to x29, then d8 to d15.
    mov     x9, sp
    stp     x9, x30, [x0]
    stp     x19, x20, [x0, #16]
    stp     x21, x22, [x0, #32]
    stp     x23, x24, [x0, #48]
    stp     x25, x26, [x0, #64]
    stp     x27, x28, [x0, #80]
    str     x29, [x0, #96]
    stp     d8, d9, [x0, #104]
    stp     d10, d11, [x0, #120]
    stp     d12, d13, [x0, #136]
    stp     d14, d15, [x0, #152]
    ldp     x9, x30, [x1]
    ldp     x19, x20, [x1, #16]
    ldp     x21, x22, [x1, #32]
    ldp     x23, x24, [x1, #48]
    ldp     x25, x26, [x1, #64]
    ldp     x27, x28, [x1, #80]
    ldr     x29, [x1, #96]
    ldp     d8, d9, [x1, #104]
    ldp     d10, d11, [x1, #120]
    ldp     d12, d13, [x1, #136]
    ldp     d14, d15, [x1, #152]
    mov     sp, x9
    ret
#endif

#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
