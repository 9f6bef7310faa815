// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include <spng.h>
