// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// All is in the header, to be inlined; a C target must have a source file.
#include "CTaskState.h"
