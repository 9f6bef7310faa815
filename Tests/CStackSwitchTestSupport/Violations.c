// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "Checks.h"

static void return_at_once(void *word) {
    (void)word;
}

void violate_by_returning(void) {
    flow flow;
    flow_begin(&flow, return_at_once);
    flow_resume(&flow, &flow);
}

void violate_by_no_bytes(void) {
    cstack_context context;
    cstack_prepare(&context, hidden(&context), 0, return_at_once);
}

void violate_by_alignment(void) {
    cstack_context context;
    cstack_prepare(&context, malloc(4096), 4088, return_at_once);
}
