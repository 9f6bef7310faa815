// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CheckReports
import ExactlyOnce
import Testing
