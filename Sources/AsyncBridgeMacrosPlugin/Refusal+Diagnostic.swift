// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeSyntax
import SwiftDiagnostics
import SwiftSyntax

extension Refusal {
    /// The refusal as the compiler shows it.
    var diagnostic: Diagnostic {
        let fixIts = self.cures.map { cure in
            FixIt(
                message: CureMessage(cure: cure, reason: self.reason),
                changes: [.replace(oldNode: cure.old, newNode: cure.new)]
            )
        }
        return Diagnostic(node: self.anchor, message: RefusalMessage(refusal: self), fixIts: fixIts)
    }
}

private struct RefusalMessage: DiagnosticMessage {
    let refusal: Refusal

    var message: String { self.refusal.message }
    var severity: DiagnosticSeverity { self.refusal.isWarning ? .warning : .error }
    var diagnosticID: MessageID { MessageID(domain: "AsyncBridge", id: self.refusal.reason.rawValue) }
}

private struct CureMessage: FixItMessage {
    let cure: Refusal.Cure
    let reason: Refusal.Reason

    var message: String { self.cure.label }
    var fixItID: MessageID { MessageID(domain: "AsyncBridge", id: self.reason.rawValue) }
}
#endif
