// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The switch on x86-64. Explains what both architectures share; CStackSwitch_aarch64.h says only what differs there.
// Included by CStackSwitch.h, never alone.

#if !defined(CSTACKSWITCH_X86_64_H) && defined(CSTACKSWITCH_H)
#define CSTACKSWITCH_X86_64_H

// Where an indirect jump lands must say so, if the processor is to check it (CET, indirect branch tracking).
#if defined(__CET__) && (__CET__ & 1)
#define CSTACK_LANDING "endbr64\n\t"
#else
#define CSTACK_LANDING
#endif

// The extended general registers, where the compiler may use them.
#if defined(__APX_F__)
#define CSTACK_CLOBBERED_APX \
    , "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26", "r27", "r28", "r29", "r30", "r31"
#else
#define CSTACK_CLOBBERED_APX
#endif

// Every register that the compiler can keep a value in, but for the six of the statement itself. The x87 stack is
// listed so that it is empty at a switch. `xmm` stands for `ymm` and `zmm` too, which contain it.
// Clang knows the names of registers that the target lacks, and ignores them.
#define CSTACK_CLOBBERED \
    "rax", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", \
    "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", \
    "mm0", "mm1", "mm2", "mm3", "mm4", "mm5", "mm6", "mm7", \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", \
    "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", \
    "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", \
    "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", \
    "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", \
    "cc", "memory" CSTACK_CLOBBERED_APX

static inline void *_Nullable cstack_switch(
    cstack_context *_Nonnull from,
    const cstack_context *_Nonnull to,
    void *_Nullable word
) {
    // rbp and rbx are saved by hand because the compiler may need them for its frame, and then cannot save them itself.
    //
    // In:  rsi = from, rdx = to, rdi = word.
    // Out: rdi = the other side's word. rsi and rdx are the other side's, hence outputs here: an input must not change.
    //
    // A signal may arrive between two of these instructions, and its handler may follow the callers: a profiler does,
    // and `backtrace`. So each function with a switch in it has a frame: the empty statement demands one. Callers are
    // then found by the frame pointer alone, which is always that of `from` or that of `to`. It comes last: until the
    // jump, the callers are those of `from`; at the jump, whose code is still that of `from`, those of `to`.
    __asm__ volatile("" : : "m"(*(const char *)__builtin_frame_address(0)));
    __asm__ volatile(
        "leaq   1f(%%rip), %%rax\n\t"
        "movq   %%rsp, 0(%%rsi)\n\t"
        "movq   %%rbp, 8(%%rsi)\n\t"
        "movq   %%rbx, 16(%%rsi)\n\t"
        "movq   %%rax, 24(%%rsi)\n\t"
        "movq   16(%%rdx), %%rbx\n\t"
        "movq   0(%%rdx), %%rsp\n\t"
        "movq   8(%%rdx), %%rbp\n\t"
        "jmpq   *24(%%rdx)\n"
        "1:\n\t" CSTACK_LANDING
        : "+D"(word), "+S"(from), "+d"(to)
        :
        : CSTACK_CLOBBERED
    );
    return word;
}

#undef CSTACK_LANDING
#undef CSTACK_CLOBBERED
#undef CSTACK_CLOBBERED_APX

#endif
