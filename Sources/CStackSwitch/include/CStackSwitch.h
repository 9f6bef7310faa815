// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Prepare a stack, switch to it: nothing else. No allocation, no threads, no policy, no notes for sanitizers.
//
// What a switch keeps and what it does not:
//
// | Kept, of the flow that is left          | Not kept: belongs to the thread, or to the caller                     |
// |-----------------------------------------|-----------------------------------------------------------------------|
// | stack, frame and base pointer           | rounding mode and exception masks: `cstack_switch_keeping_float_control` |
// | every register that the compiler needs  | floating-point exception flags                                        |
// | the stack's content, red zone included  | signal mask, alternate signal stack                                   |
// |                                         | errno, thread-locals and their addresses, the thread itself           |
// |                                         | shadow stacks (x86-64 SHSTK, AArch64 GCS): see CStackSwitch.S         |
// |                                         | the streaming and ZA state of AArch64 SME, x86-64 AMX tiles           |
//
// So a flow may wake on another thread, and then has that thread's errno, mask and thread-locals. An address of a
// thread-local that was taken before a switch must not be used after it: keep such accesses in functions that are not
// inlined, and call them anew.

#ifndef CSTACKSWITCH_H
#define CSTACKSWITCH_H

#include <stddef.h>
#include <stdint.h>

#if !defined(__LP64__) || defined(_WIN32) || !(defined(__x86_64__) || defined(__aarch64__))
#error "CStackSwitch supports x86-64 (System V ABI) and AArch64 (AAPCS64), 64-bit, on Linux and Apple systems"
#endif
#if defined(__has_feature)
#if __has_feature(safe_stack) || __has_feature(shadow_call_stack)
#error "CStackSwitch knows one stack for each flow: it cannot be combined with SafeStack or ShadowCallStack"
#endif
#endif

/// A suspended flow of control: four words, meaningful until the flow is continued.
///
/// Its memory may be anywhere, also on the stack that it belongs to. It may be copied and moved while the flow is
/// suspended, for it holds no address of itself.
///
/// The layout is known to the assembly, here and in CStackSwitch.S.
typedef struct cstack_context {
    /// Where the stack ends that the flow runs on: `rsp`, `sp`.
    uintptr_t stack_pointer;
    /// The flow's frame: `rbp`, `x29`. Zero in a prepared flow, which ends chains of frames.
    uintptr_t frame_pointer;
    /// The register that compilers use for frames of variable size: `rbx`, `x19`. In a prepared flow: its entry.
    uintptr_t base_pointer;
    /// Where the flow continues: `rip`, `pc`.
    uintptr_t program_counter;
} cstack_context;

/// Makes a context that, when it is switched to for the first time, calls `entry` on the given stack.
///
/// `entry` gets the word of that first switch and the floating-point control of the flow that made it. It must never
/// return and let nothing unwind out of it: it ends by switching away for good. If it returns, the process ends with a
/// message. A backtrace ends below it, at the symbol `cstack_start`.
///
/// Touches no memory of the stack, and allocates nothing: to throw a prepared context away takes nothing either.
///
/// Preconditions, the first two of which are checked: the highest address, `stack_low + size`, is a multiple of 16, as
/// both ABIs want it; the size is not zero; the memory stays, readable and writable, until control has left it for
/// good. A guard page below it is the caller's business.
///
/// @param context Is overwritten.
/// @param stack_low The lowest address of the stack's memory.
/// @param size The number of bytes from there upwards. The flow starts at the upper end.
/// @param entry The function to call.
void cstack_prepare(
    cstack_context *_Nonnull context,
    void *_Nonnull stack_low,
    size_t size,
    void (*_Nonnull entry)(void *_Nullable word)
);

/// Saves the running flow in `from`, continues `to`, and returns when somebody switches to `from`.
///
/// One word goes across. It is the argument of a flow's entry the first time, the result of its own pending switch
/// from then on.
///
/// Each context is good for one switch to it; after that it is stale until it has been given as `from` again. No two
/// threads may run the same flow. A flow to be continued on another thread must be seen there as after a lock or a
/// release and an acquire: `from` is written by plain stores.
///
/// The caller holds no lock. After the return, anything of the table above may have changed.
///
/// Why it is inlined, with one `asm` statement: a switch within a called routine returns to another place than it was
/// called from, which defeats the processor's return predictor, and must save all registers that a callee has to
/// preserve. Here the compiler knows what is lost, and saves what it needs: Benchmarks/README.md. The statement pushes
/// nothing, so a leaf function that keeps values below its stack pointer (the red zone) keeps them.
///
/// @param from Is overwritten with the running flow.
/// @param to The flow to continue. Must be suspended: prepared, or saved by a switch.
/// @param word Is handed to that flow.
/// @return The word of the switch that continued this flow.
__attribute__((always_inline)) static inline void *_Nullable cstack_switch(
    cstack_context *_Nonnull from,
    const cstack_context *_Nonnull to,
    void *_Nullable word
);

/// Does what `cstack_switch` does, and gives the caller its floating-point control back when it returns.
///
/// Rounding mode, exception masks, flush-to-zero: MXCSR and the x87 control word, FPCR. Whoever changes them, and
/// switches before they are restored, uses this one; so does whoever switches to code that might. For both ABIs these
/// belong to the thread, and a function must leave them as it found them (System V ABI AMD64, 3.2.3: "control bits are
/// callee-saved"; AAPCS64, 6.1.3, of FPCR). Code that keeps to this between two switches needs no more than
/// `cstack_switch`.
///
/// Why not always: reading MXCSR alone takes longer than the whole switch (Benchmarks/README.md), also if it is only to
/// be compared. Exception flags come back as they were too; for the ABIs they are nobody's.
///
/// @param from As for `cstack_switch`.
/// @param to As for `cstack_switch`.
/// @param word As for `cstack_switch`.
/// @return As for `cstack_switch`.
__attribute__((always_inline)) static inline void *_Nullable cstack_switch_keeping_float_control(
    cstack_context *_Nonnull from,
    const cstack_context *_Nonnull to,
    void *_Nullable word
);

#if defined(__x86_64__)
#include "CStackSwitch_x86_64.h"
#else
#include "CStackSwitch_aarch64.h"
#endif

#endif
