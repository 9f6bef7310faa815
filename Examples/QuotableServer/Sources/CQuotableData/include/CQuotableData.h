// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#ifndef CQuotableData_h
#define CQuotableData_h

#include <stddef.h>

/// The bytes of Data/quotes.json, which is compiled in, so that the server is one file.
const unsigned char *_Nonnull quotable_data_start(void);
size_t quotable_data_length(void);

#endif
