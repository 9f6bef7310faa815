// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The switch on AArch64. CStackSwitch_x86_64.h explains it; this file says only what differs. Included by
// CStackSwitch.h, never alone.

#if !defined(CSTACKSWITCH_AARCH64_H) && defined(CSTACKSWITCH_H)
#define CSTACKSWITCH_AARCH64_H

// Where an indirect jump lands must say so, if the processor is to check it (BTI). `hint #36` is `bti j`, spelt so that
// an assembler for any version of the architecture knows it.
#if defined(__ARM_FEATURE_BTI_DEFAULT)
#define CSTACK_LANDING "hint   #36\n\t"
#else
#define CSTACK_LANDING
#endif

// x18 is the platform's on Apple and Android systems, the compiler's elsewhere (AAPCS64, "General-purpose Registers").
#if defined(__APPLE__) || defined(__ANDROID__)
#define CSTACK_CLOBBERED_X18
#else
#define CSTACK_CLOBBERED_X18 , "x18"
#endif

// The predicates, where the compiler may use them. The scalable `z` registers contain the `v` ones.
#if defined(__ARM_FEATURE_SVE)
#define CSTACK_CLOBBERED_SVE \
    , "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13", "p14", "p15"
#else
#define CSTACK_CLOBBERED_SVE
#endif

// At the jump the frame is already the other side's. Where return addresses are signed (PAC), an unwinder checks the
// signature of that side's address as if it were one of this function, whose frame may have another shape. The check
// fails, and the unwinder reads at the address that it gets then. So at this one instruction there is no caller. Not in
// Swift: its functions may lack unwind information, and the directives would not assemble. They sign nothing.
#if defined(__ARM_FEATURE_PAC_DEFAULT) && defined(__GCC_HAVE_DWARF2_CFI_ASM) && defined(__ELF__) && !defined(__swift__)
#define CSTACK_NO_CALLER ".cfi_remember_state\n\t.cfi_undefined x30\n\t"
#define CSTACK_CALLER_AGAIN ".cfi_restore_state\n"
#else
#define CSTACK_NO_CALLER
#define CSTACK_CALLER_AGAIN
#endif

// The whole of v8 to v15 is listed, so the compiler preserves their lower halves for its caller, as the ABI requires.
#define CSTACK_CLOBBERED \
    "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", \
    "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30", \
    "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", \
    "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31", \
    "cc", "memory" CSTACK_CLOBBERED_X18 CSTACK_CLOBBERED_SVE

static inline void *_Nullable cstack_switch(
    cstack_context *_Nonnull from,
    const cstack_context *_Nonnull to,
    void *_Nullable word
) {
    // In:  x0 = word, x1 = from, x2 = to.
    // Out: x0 = the other side's word; x1 and x2 are the other side's.
    //
    // The jump goes through x16, because that is where the ABI lets jumps land on either kind of landing pad.
    register void *x0 __asm__("x0") = word;
    register cstack_context *x1 __asm__("x1") = from;
    register const cstack_context *x2 __asm__("x2") = to;
    __asm__ volatile("" : : "m"(*(const char *)__builtin_frame_address(0)));
    __asm__ volatile(
        "adr    x9, 1f\n\t"
        "mov    x10, sp\n\t"
        "stp    x10, x29, [x1]\n\t"
        "stp    x19, x9, [x1, #16]\n\t"
        "ldp    x10, x11, [x2]\n\t"
        "ldp    x19, x16, [x2, #16]\n\t"
        "mov    sp, x10\n\t"
        "mov    x29, x11\n\t"
        CSTACK_NO_CALLER "br     x16\n" CSTACK_CALLER_AGAIN
        "1:\n\t" CSTACK_LANDING
        : "+r"(x0), "+r"(x1), "+r"(x2)
        :
        : CSTACK_CLOBBERED
    );
    return x0;
}

#undef CSTACK_LANDING
#undef CSTACK_NO_CALLER
#undef CSTACK_CALLER_AGAIN
#undef CSTACK_CLOBBERED
#undef CSTACK_CLOBBERED_X18
#undef CSTACK_CLOBBERED_SVE

#endif
