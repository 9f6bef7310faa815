// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if defined(__linux__)
// The registers' names in ucontext.h.
#define _GNU_SOURCE 1

#include "Steps.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static void (*visit)(const position *position);
static volatile size_t count;

static void handle(int number, siginfo_t *info, void *context);

bool steps_prepare(void (*each)(const position *position)) {
    visit = each;
    count = 0;
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    action.sa_sigaction = handle;
    return sigemptyset(&action.sa_mask) == 0 && sigaction(SIGTRAP, &action, NULL) == 0;
}

size_t steps_count(void) {
    return count;
}

static void visit_position(position position) {
    count += 1;
    visit(&position);
}

#if defined(__x86_64__)

// The processor steps by itself, while the trap flag is set. The kernel clears it for the handler.

static void handle(int number, siginfo_t *info, void *context) {
    enum { trap_flag = 0x100 };
    (void)number;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    if (info->si_code != TRAP_TRACE) {
        // One of the two markers.
        registers[REG_EFL] ^= trap_flag;
        return;
    }
    visit_position((position){
        .program_counter = (uintptr_t)registers[REG_RIP],
        .stack_pointer = (uintptr_t)registers[REG_RSP],
        .frame_pointer = (uintptr_t)registers[REG_RBP],
    });
}

#else

// The processor steps for debuggers only. So each instruction that may be the next one becomes a `brk #0` for a moment.

enum { breakpoint = 0xd4200000, marker_begin = breakpoint | 1 << 5, marker_end = breakpoint | 2 << 5 };

/// The instructions that were replaced: one, or both ways of a conditional branch.
static struct {
    uint32_t *place;
    uint32_t instruction;
} replaced[2];
static int replaced_count = 0;

static void write_instruction(uint32_t *place, uint32_t instruction) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    if (mprotect((void *)((uintptr_t)place & -page), page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) abort();
    *place = instruction;
    __builtin___clear_cache((char *)place, (char *)(place + 1));
}

static void replace(uint32_t *place) {
    // The markers trap as they are.
    if (*place == marker_begin || *place == marker_end) return;
    replaced[replaced_count].place = place;
    replaced[replaced_count].instruction = *place;
    replaced_count += 1;
    write_instruction(place, breakpoint);
}

static void restore(void) {
    // Backwards, should both be the same place.
    while (replaced_count > 0) {
        replaced_count -= 1;
        write_instruction(replaced[replaced_count].place, replaced[replaced_count].instruction);
    }
}

/// The field of an instruction that is a signed number of instructions.
static int64_t distance(uint32_t instruction, int low, int width) {
    return (int64_t)((uint64_t)(instruction >> low) << (64 - width)) >> (64 - width);
}

/// Replaces whatever may run after the instruction at this place.
static void replace_next(uint32_t *place, const mcontext_t *context) {
    uint32_t word = *place;
    if ((word & 0x7c000000) == 0x14000000) {                    // b, bl
        replace(place + distance(word, 0, 26));
    } else if ((word & 0xfe000000) == 0xd6000000) {             // br, blr, ret, and their authenticating forms
        uint32_t number = word >> 5 & 31;
        // `retaa` and `retab` use x30, signed.
        if (number == 31) number = 30;
        uintptr_t target = (uintptr_t)context->regs[number];
        if (word & 0x800) {
            register uintptr_t x30 __asm__("x30") = target;
            __asm__("hint #7" : "+r"(x30));                     // xpaclri
            target = x30;
        }
        replace((uint32_t *)target);
    } else {
        replace(place + 1);
        if ((word & 0xff000010) == 0x54000000 || (word & 0x7e000000) == 0x34000000) {
            replace(place + distance(word, 5, 19));             // b.cond; cbz, cbnz
        } else if ((word & 0x7e000000) == 0x36000000) {
            replace(place + distance(word, 5, 14));             // tbz, tbnz
        }
    }
}

static void handle(int number, siginfo_t *info, void *context) {
    (void)number, (void)info;
    mcontext_t *registers = &((ucontext_t *)context)->uc_mcontext;
    restore();
    uint32_t *place = (uint32_t *)registers->pc;
    if (*place == marker_begin || *place == marker_end) {
        registers->pc += 4;
        if (*place == marker_end) return;
        place += 1;
        replace(place);
        return;
    }
    visit_position((position){
        .program_counter = registers->pc,
        .stack_pointer = registers->sp,
        .frame_pointer = registers->regs[29],
    });
    replace_next(place, registers);
}

#endif
#endif
