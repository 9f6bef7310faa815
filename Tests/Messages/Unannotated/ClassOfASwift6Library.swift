// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A builder and a slot use classes of a library in Swift 6 mode that says that they are not Sendable.
//
// warning: capture of 'parser' with non-Sendable type 'XMLParser' in a '@Sendable' closure
// warning: capture of 'parser' with non-Sendable type 'XMLParser' in a '@Sendable' closure
// error: conformance of 'XMLNode' to 'Sendable' is unavailable
// error: conformance of 'XMLNode' to 'Sendable' is unavailable

import AsyncBridge
import Foundation
@preconcurrency import FoundationXML

func mistake(_ parser: XMLParser) -> CallbackSequence<String, any Error> {
    CallbackSequence { sink in
        _ = parser.parse()  // <-
        return { parser.abortParsing() }  // <-
    }
}

func anotherMistake() -> ReplySlot<XMLNode> {  // <-
    ReplySlot<XMLNode>()  // <-
}
