// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "Checks.h"

#include <fenv.h>

// A seventh, rounded to nearest as the compiler does. In either format that is below a seventh.
static const double nearest = 1.0 / 7;
static const long double long_nearest = 1.0L / 7;

/// Whether this thread rounds upwards what on x86-64 obeys MXCSR.
static bool rounds_upwards(void) {
    // Volatile, or else the compiler divides when it likes.
    volatile double one = 1, seven = 7, seventh = one / seven;
    return seventh > nearest;
}

/// Whether this thread rounds upwards what on x86-64 obeys the x87 control word.
static bool rounds_long_upwards(void) {
    volatile long double one = 1, seven = 7, seventh = one / seven;
    return seventh > long_nearest;
}

/// How many of the two formats are rounded upwards.
static int rounded_upwards(void) {
    return rounds_upwards() + rounds_long_upwards();
}

static void set_rounding(bool upwards) {
    fesetround(upwards ? FE_UPWARD : FE_TONEAREST);
}

static void round_upwards(void *word) {
    flow *self = word;
    FLOW_CHECK(self, rounded_upwards() == 0);
    set_rounding(true);
    for (;;) {
        FLOW_CHECK(self, rounded_upwards() == 2);
        cstack_switch(&self->own, &self->resumer, NULL);
    }
}

const char *check_float_control_shared(void) {
    CHECK(rounded_upwards() == 0);
    flow flow;
    flow_begin(&flow, round_upwards);
    flow_resume(&flow, &flow);
    int upwards = rounded_upwards();
    set_rounding(false);
    CHECK(upwards == 2);
    return flow_end(&flow);
}
