// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "Checks.h"

#include <fenv.h>

/// One third, rounded as this thread rounds. On x86-64 it needs MXCSR.
static double third(void) {
    volatile double one = 1, three = 3;
    return one / three;
}

/// The same in another format. On x86-64 it needs the x87 control word.
static long double long_third(void) {
    volatile long double one = 1, three = 3;
    return one / three;
}

static bool both_round_upwards(void) {
    // The nearest number is below a third in either format: their last bits stand for even powers of two.
    volatile double nearest = 0x1.5555555555555p-2;
    return third() > nearest && long_third() * 3 > 1;
}

void cstacktest_round_upwards(bool upwards) {
    fesetround(upwards ? FE_UPWARD : FE_TONEAREST);
}

bool cstacktest_rounds_upwards(void) {
    return fegetround() == FE_UPWARD && third() > 0x1.5555555555555p-2;
}

static void round_upwards(void *word) {
    flow *self = word;
    FLOW_CHECK(self, !both_round_upwards());
    cstacktest_round_upwards(true);
    for (;;) {
        FLOW_CHECK(self, both_round_upwards());
        cstack_switch_keeping_float_control(&self->own, &self->resumer, NULL);
    }
}

const char *check_float_control_kept(void) {
    CHECK(!both_round_upwards());
    flow flow;
    flow_begin(&flow, round_upwards);
    void *word = &flow;
    for (int i = 0; i < 3; i++) {
        word = cstack_switch_keeping_float_control(&flow.resumer, &flow.own, word);
        CHECK(!both_round_upwards());
    }
    return flow_end(&flow);
}

const char *check_float_control_shared(void) {
    CHECK(!both_round_upwards());
    flow flow;
    flow_begin(&flow, round_upwards);
    flow_resume(&flow, &flow);
    bool upwards = both_round_upwards();
    cstacktest_round_upwards(false);
    CHECK(upwards);
    return flow_end(&flow);
}
