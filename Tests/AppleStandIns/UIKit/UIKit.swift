// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

// The part of UIKit that the guide uses, with the signatures of Apple's SDK. The user taps an alert's first action.

@MainActor
open class UIViewController {
    open func viewWillAppear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}

    public init() {}

    open func present(_ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil) {
        guard let alert = controller as? UIAlertController else { return }
        Task {
            let action = alert.actions.first
            // An alert that has gone releases its actions.
            alert.actions = []
            if let action { action.handler?(action) }
        }
    }

    open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {}
}

@MainActor
open class UIAlertAction {
    public enum Style: Int, Sendable { case `default`, cancel, destructive }

    let handler: ((UIAlertAction) -> Void)?

    public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) { self.handler = handler }
}

@MainActor
open class UIAlertController: UIViewController {
    public enum Style: Int, Sendable { case actionSheet, alert }

    open internal(set) var actions: [UIAlertAction] = []

    public init(title: String?, message: String?, preferredStyle: Style) { super.init() }

    open func addAction(_ action: UIAlertAction) { self.actions.append(action) }
}

@MainActor
open class UILabel {
    open var text: String? {
        didSet { print("the label says: \(self.text ?? "")") }
    }

    public init() {}
}
