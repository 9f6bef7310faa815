// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "CQuotableData.h"

// Why not SwiftPM's `.embedInCode`: it writes the bytes as a Swift array, which took the compiler 40 seconds.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char quotes[] = {
#embed "../../Data/quotes.json"
};

const unsigned char *quotable_data_start(void) { return quotes; }
size_t quotable_data_length(void) { return sizeof quotes; }
