// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What all tests use: seen in each file of this target.
@_exported import TestSupport
