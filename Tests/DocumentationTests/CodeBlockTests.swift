// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Testing

@Suite("Code blocks are found", .timeLimit(.minutes(10)))
struct CodeBlockTests {
    @Test func `in markdown`() {
        let text = """
            Words.

            ```swift
            let a = 1

                let b = 2
            ```
            ```sh
            swift test
            ```
            """
        #expect(CodeBlock.blocks(inMarkdown: text) == [CodeBlock(line: 3, code: ["let a = 1", "let b = 2"])])
    }

    @Test func `in doc comments only`() {
        let source = """
            /// Words.
            ///
            /// ```swift
            /// let a = 1
            /// ```
            let text = "```swift"
            // ```swift
            // let b = 2
            // ```
            """
        #expect(CodeBlock.blocks(inDocCommentsOf: source) == [CodeBlock(line: 3, code: ["let a = 1"])])
    }

    @Test func `what stands in a snippet is found in spite of indentation and markers`() {
        let snippet = """
            func f() {
                // snippet.A
                a()

                b()
                // snippet.end
            }
            """
        let code = CodeBlock.code(ofSnippet: snippet)
        #expect(CodeBlock(line: 1, code: ["a()", "b()"]).stands(in: code))
    }

    @Test(arguments: [["b()", "a()"], ["a()", "c()"], ["a()", "b()", "}", "}"]])
    func `what does not stand in a snippet is not found`(_ block: [String]) {
        let code = CodeBlock.code(ofSnippet: "func f() {\n    a()\n    b()\n}\n")
        #expect(!CodeBlock(line: 1, code: block).stands(in: code))
    }
}
