// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include <webp/decode.h>
#include <webp/encode.h>
