// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Prepare a stack, switch to it: nothing else. No allocation, no threads, no policy, no notes for sanitizers.
//
// What a switch keeps of the flow that is left, and what it does not keep:
//
// | Kept                                     | Not kept: it is the thread's, or the caller's business            |
// |------------------------------------------|-------------------------------------------------------------------|
// | stack, frame and base pointer            | rounding mode, exception masks: the second form of switch does    |
// | every register with a value in use       | floating-point exception flags                                    |
// | what is on the stack, red zone included  | errno, signal mask, alternate signal stack                        |
// |                                          | thread-locals and their addresses: it may wake on another thread  |
// |                                          | shadow stacks (x86-64 SHSTK, AArch64 GCS): CStackSwitch.S         |
// |                                          | streaming and ZA state (AArch64 SME), tiles (x86-64 AMX)          |
//
// An address of a thread-local that was taken before a switch must not be used after it. Compilers keep such addresses,
// so keep accesses to thread-locals in functions that are not inlined, and call these anew.

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

#if defined(__cplusplus)
extern "C" {
#endif

/// A suspended flow of control: four words, meaningful until the flow is continued.
///
/// Its memory may be anywhere, even on the stack that it belongs to. It may be copied and moved while the flow is
/// suspended, because it holds no address of itself.
///
/// The layout is known to the assembly, here and in CStackSwitch.S.
typedef struct cstack_context {
    /// The lowest address in use of the stack that the flow runs on: `rsp`, `sp`.
    uintptr_t stack_pointer;
    /// The flow's frame: `rbp`, `x29`. In a prepared flow a frame of two zero words, which ends chains of frames.
    uintptr_t frame_pointer;
    /// The register that compilers use for frames of variable size: `rbx`, `x19`. In a prepared flow: its entry.
    uintptr_t base_pointer;
    /// Where the flow continues: `rip`, `pc`.
    uintptr_t program_counter;
} cstack_context;

/// Makes a context that, when it is switched to for the first time, calls `entry` on the given stack.
///
/// `entry` gets the word of that switch, and the floating-point control words of the flow that made it. It ends by
/// switching away for good; objects that its frames own at that point are never released. It must not return: that ends
/// the process, with a message. Nothing may unwind out of it. A backtrace ends below it, at the symbol `cstack_start`.
/// It may be taken by a signal handler at any instruction, those of a switch included.
///
/// This neither touches the stack nor allocates, so a prepared context can be dropped.
///
/// Preconditions: the upper end, `stack_low + size`, is a multiple of 16, as both ABIs want it, and the size is not
/// zero; these are checked. The memory can be read and written until control has left it for good. A guard page below
/// it is the caller's responsibility.
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

/// Saves the running flow in `from`, continues `to`, and returns when a flow switches to `from`.
///
/// One word goes across. It is the argument of a flow's entry the first time, the result of its pending switch from
/// then on. In a hot loop let it be the address of an object that both sides use, and continue with the returned
/// address: the old one is in a frame, and the frame's address has just been fetched from memory too.
///
/// A context is good for one switch to it. After that it is stale, until it has been given as `from` again. To continue
/// a flow on another thread, hand it over as any other memory, by a lock or by release and acquire: `from` is written
/// by plain stores. The caller holds no lock.
///
/// Why not a routine: a switch within one returns to a different place than it was called from, which defeats the
/// processor's prediction of returns, and it must save all registers that a callee preserves. One inlined statement of
/// assembly tells the compiler what is lost, and the compiler saves what is in use; Benchmarks/README.md has the
/// figures. It pushes nothing, so leaf functions may keep values below their stack pointer (the red zone).
///
/// Flows share the thread's floating-point control words (rounding mode, exception masks, flush-to-zero): MXCSR and the
/// x87 control word, or FPCR. A function leaves them as it found them (System V ABI AMD64, 3.2.1), unless its purpose
/// is to change them. Keeping them for each flow would take longer than the whole switch.
///
/// In Swift it is not inlined into a `@convention(c)` closure or a `@_cdecl` function, where it is right, but slow.
/// Keep the body of an `entry` in a Swift function marked `@inline(never)`.
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

#if defined(__x86_64__)
#include "CStackSwitch_x86_64.h"
#else
#include "CStackSwitch_aarch64.h"
#endif

#if defined(__cplusplus)
}
#endif

#endif
