// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation
@_exported import Observation

// The part of SwiftUI that the guide uses, with the signatures of Apple's SDK. Nothing is drawn: `Screen` runs the
// tasks of a view, and cancels them when it closes, as SwiftUI does.

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Self.Body { get }
}

extension Never: View {
    public var body: Never { fatalError("no body") }
}

@resultBuilder
public enum ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
}

public struct Text: View {
    let text: String

    nonisolated public init(_ text: String) { self.text = text }

    public var body: Never { fatalError("no body") }
}

/// State that no view on the screen has yet: an assignment does nothing, as in SwiftUI.
@propertyWrapper
public struct State<Value> {
    private let initial: Value

    public var wrappedValue: Value {
        get { self.initial }
        nonmutating set {}
    }

    public init(wrappedValue: Value) { self.initial = wrappedValue }

    public init(initialValue: Value) { self.initial = initialValue }
}

extension View {
    nonisolated public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable @isolated(any) () async -> Void
    ) -> some View { TaskView(content: self, action: action) }
}

struct TaskView<Content: View>: View {
    let content: Content
    let action: @Sendable @isolated(any) () async -> Void

    nonisolated init(content: Content, action: @escaping @Sendable @isolated(any) () async -> Void) {
        self.content = content
        self.action = action
    }

    var body: Content { self.content }
}

/// A screen that shows one view.
@MainActor
public final class Screen {
    private var task: Task<Void, Never>?

    public init<Content: View>(_ view: Content) {
        if let view = view.body as? any Appearing { self.task = view.appear() }
    }

    /// The view disappears: its task is cancelled.
    public func close() async {
        self.task?.cancel()
        await self.task?.value
    }

    /// Waits until the view's task has ended.
    public func settle() async { await self.task?.value }
}

@MainActor
protocol Appearing {
    func appear() -> Task<Void, Never>
}

extension TaskView: Appearing {
    func appear() -> Task<Void, Never> {
        let action = self.action
        return Task { await action() }
    }
}
