// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The runtime keeps the accesses in progress in a list, newest first, with its head in a thread-local of its own. Each
// node is the buffer that the code passed to `swift_beginAccess`. The layout of such a buffer is private to the runtime
// (stdlib/public/runtime/Exclusivity.cpp, `Access`): all knowledge of it is in this file, and is tested before it is
// relied on.

#define _GNU_SOURCE

#include "CCoroutinesAccesses.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// MARK: The runtime's list

// Exported by libswiftCore; swift/Runtime/Exclusivity.h.
extern void swift_beginAccess(void *pointer, uintptr_t *buffer, uintptr_t flags, void *pc);
extern void swift_endAccess(uintptr_t *buffer);

enum { access_read = 0, access_modify = 1, access_action_mask = 1, access_tracked = 0x20 };

/// A node of the list.
typedef struct access_node {
    /// What is accessed; null if the access is in no list.
    const void *memory;
    /// An address in the code that began it.
    const void *code;
    /// The next node, and in the lowest bit the kind of access.
    uintptr_t next_and_action;
} access_node;

static const access_node *next_of(const access_node *node) {
    return (const access_node *)(node->next_and_action & ~(uintptr_t)access_action_mask);
}

static void begin_access(access_node *node, uintptr_t flags, void *code) {
    swift_beginAccess(node, (uintptr_t *)node, flags | access_tracked, code);
}

static void end_access(access_node *node) { swift_endAccess((uintptr_t *)node); }

/// The newest access in progress on this thread.
///
/// The node after an access of our own, begun for this purpose.
static const access_node *newest_access(void) {
    access_node probe;
    begin_access(&probe, access_read, NULL);
    // Null if the process runs without checks.
    const access_node *newest = probe.memory ? next_of(&probe) : NULL;
    end_access(&probe);
    return newest;
}

/// Tests on an access of our own whether nodes look as this file says.
static bool nodes_are_as_expected(void) {
    access_node node;
    void *code = (void *)&nodes_are_as_expected;
    const access_node *before = newest_access();
    begin_access(&node, access_modify, code);
    bool is_as_expected = node.memory == &node && node.code == code
        && node.next_and_action == ((uintptr_t)before | access_modify) && newest_access() == &node;
    end_access(&node);
    return is_as_expected && newest_access() == before;
}

// MARK: The switch

#if defined(DEBUG)
bool ccoro_access_check_is_on = true;
#else
bool ccoro_access_check_is_on = false;
#endif

typedef enum layout : uint8_t { layout_untried = 0, layout_known, layout_unknown } layout;

/// Whether the nodes can be read. Each thread that tests it gets the same result.
static bool can_read_nodes(void) {
    static layout tried;
    layout result = __atomic_load_n(&tried, __ATOMIC_RELAXED);
    if (result == layout_untried) {
        result = nodes_are_as_expected() ? layout_known : layout_unknown;
        __atomic_store_n(&tried, result, __ATOMIC_RELAXED);
    }
    return result == layout_known;
}

bool ccoro_set_checks_accesses(bool is_on) {
    is_on = is_on && can_read_nodes();
    __atomic_store_n(&ccoro_access_check_is_on, is_on, __ATOMIC_RELAXED);
    return is_on;
}

// MARK: The accesses of a coroutine

/// The coroutine whose own access a node is (see `ccoro_begin`), if it is such a node.
///
/// Only those access the memory of the node itself.
static const ccoro_block *owner_of(const access_node *node) {
    if (node->memory != node) return NULL;
    return (const ccoro_block *)((const char *)node - offsetof(ccoro_block, first_access));
}

static bool is_on_stack(const void *address, const ccoro_block *block) {
    return (uintptr_t)address - (uintptr_t)block->stack_low < block->stack_size;
}

/// Whether memory is on the stack of a coroutine or of a generator that it runs.
static bool is_private(const void *memory, const access_node *newest, const ccoro_block *block) {
    const access_node *last = (const access_node *)block->first_access;
    for (const access_node *node = newest; node != last; node = next_of(node)) {
        const ccoro_block *generator = owner_of(node);
        if (generator && is_on_stack(memory, generator)) return true;
    }
    return is_on_stack(memory, block);
}

size_t ccoro_find_accesses(const ccoro_block *block, ccoro_access *found, size_t capacity, size_t *stack_room) {
    // More than any code has in progress.
    enum { limit = 10000 };
    *stack_room = 0;
    if (!can_read_nodes()) {
        ccoro_set_checks_accesses(false);
        return 0;
    }
    const access_node *newest = newest_access();
    const access_node *last = (const access_node *)block->first_access;
    // The caller runs on the innermost coroutine's stack.
    const ccoro_block *innermost = NULL;
    size_t length = 0;
    for (const access_node *node = newest; node != last; node = next_of(node)) {
        if (!node || ++length > limit) return 0;
        if (!innermost) innermost = owner_of(node);
    }
    if (!innermost) innermost = block;
    uintptr_t position = ccoro_stack_position();
    if (is_on_stack((const void *)position, innermost)) *stack_room = position - (uintptr_t)innermost->stack_low;

    size_t count = 0;
    for (const access_node *node = newest; node != last && count < capacity; node = next_of(node)) {
        if (owner_of(node) || is_private(node->memory, newest, block)) continue;
        bool modifies = (node->next_and_action & access_action_mask) == access_modify;
        found[count++] = (ccoro_access){node->memory, node->code, modifies};
    }
    return count;
}

// MARK: Words for code

// Weak: in older C libraries the first is in a separate library, which the Swift runtime has loaded.
__attribute__((weak)) extern int dladdr(const void *address, Dl_info *info);

// Exported by libswiftCore; swift/Demangling/Demangle.h.
__attribute__((weak)) extern char *swift_demangle(
    const char *name, size_t length, char *buffer, size_t *size, uint32_t flags
);

void ccoro_describe_code(const void *code, bool with_function, char *text, size_t size) {
    Dl_info info;
    // The noted address is the return address: one byte earlier is certainly in the function.
    const char *address = (const char *)code - 1;
    if (!&dladdr || !code || !dladdr(address, &info) || !info.dli_fname) {
        snprintf(text, size, "%p", code);
        return;
    }
    const char *slash = strrchr(info.dli_fname, '/');
    const char *file = slash ? slash + 1 : info.dli_fname;
    size_t offset = (size_t)(address - (const char *)info.dli_fbase);
    const char *symbol = with_function ? info.dli_sname : NULL;
    if (!symbol) {
        snprintf(text, size, "%s+0x%zx", file, offset);
        return;
    }
    char *demangled = &swift_demangle ? swift_demangle(symbol, strlen(symbol), NULL, NULL, 0) : NULL;
    snprintf(text, size, "%s (%s+0x%zx)", demangled ? demangled : symbol, file, offset);
    free(demangled);
}
