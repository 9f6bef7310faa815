// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Where a prepared flow starts. All architectures are in this one file, because a file that is empty elsewhere would be
// an object without the notes at the end, and one such object is enough for a linker to drop their promises.

#if defined(__APPLE__)
#define SYMBOL(name) _##name
#define HIDDEN(name) .private_extern SYMBOL(name)
#define FUNCTION(name)
#define END(name)
#else
#define SYMBOL(name) name
#define HIDDEN(name) .hidden SYMBOL(name)
#define FUNCTION(name) .type SYMBOL(name), %function
#define END(name) .size SYMBOL(name), . - SYMBOL(name)
#endif

    .text
    .globl  SYMBOL(cstack_start)
    HIDDEN(cstack_start)
    FUNCTION(cstack_start)
    .p2align 4
SYMBOL(cstack_start):
    .cfi_startproc

#if defined(__x86_64__)
    // On entry, from the first switch to a context that `cstack_prepare` made:
    //
    //   rsp  the upper end of the stack, a multiple of 16, as before any call (System V ABI AMD64, 3.2.2)
    //   rbp  the address of two zero words: a frame that ends a chain of frames (3.4.1)
    //   rbx  the entry function
    //   rdi  the word of the switch, which is also where a function's first argument goes
    //
    //   upper end of the stack  ┌────────────────────────────────┐ ◀─ rsp here
    //                           │ return address in cstack_start │ ◀─ rsp at the start of `entry`
    //                           │ rbp, if `entry` saves it       │
    //                           ├────────────────────────────────┤
    //                           │ the rest of the entry's frame  │

    // This has no caller, so there is no return address: that is how unwinders and debuggers know the last frame.
    .cfi_def_cfa rsp, 0
    .cfi_undefined rip
#if defined(__CET__) && (__CET__ & 1)
    endbr64
#endif
    callq   *%rbx
    // The entry returned. The stack is as it was, so this call is aligned too.
    callq   SYMBOL(cstack_entry_returned)
    ud2

#elif defined(__aarch64__)
    // Only what differs. On entry:
    //
    //   sp   the upper end of the stack, a multiple of 16 (AAPCS64, "Universal stack constraints")
    //   x29  the address of two zero words, which ends a chain of frames (AAPCS64, "The Frame Pointer")
    //   x19  the entry function
    //   x0   the word of the switch
    //   x30  the other side's; the call overwrites it

    .cfi_undefined x30
#if defined(__ARM_FEATURE_BTI_DEFAULT)
    hint    #36                 // bti j
#endif
#if defined(__arm64e__)
    blraaz  x19                 // pointers to C functions are signed
#else
    blr     x19
#endif
    bl      SYMBOL(cstack_entry_returned)
    brk     #1

#else
#error "CStackSwitch supports x86-64 (System V ABI) and AArch64 (AAPCS64), 64-bit, on Linux and Apple systems"
#endif

    .cfi_endproc
    END(cstack_start)

#if defined(__ELF__)
    // The stack needs not be executable.
    .section .note.GNU-stack, "", %progbits

    // What the linker promises to the system for a program with this file in it, if all its other parts promise it too:
    // that indirect jumps land on landing pads; on AArch64 also that stored return addresses are signed, as none is
    // stored here. Not promised is fitness for shadow stacks (SHSTK, GCS), the processor's second stack of return
    // addresses: a switch leaves it as it is, and the next return would find another flow's address on it, which ends
    // the process. Without the promise the system leaves shadow stacks off for the whole program.
#if defined(__x86_64__) && defined(__CET__) && (__CET__ & 1)
#define PROPERTY 0xc0000002     /* GNU_PROPERTY_X86_FEATURE_1_AND */
#define PROMISES 1              /* IBT */
#elif defined(__aarch64__) && defined(__ARM_FEATURE_BTI_DEFAULT)
#define PROPERTY 0xc0000000     /* GNU_PROPERTY_AARCH64_FEATURE_1_AND */
#define PROMISES 3              /* BTI, PAC */
#endif
#if defined(PROPERTY)
    .section .note.gnu.property, "a", %note
    .p2align 3
    .long   4, 16, 5            // sizes of name and description; NT_GNU_PROPERTY_TYPE_0
    .asciz  "GNU"
    .long   PROPERTY, 4         // its size
    .long   PROMISES, 0         // padding
#endif
#endif
