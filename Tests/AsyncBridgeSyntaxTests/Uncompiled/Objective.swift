// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeMacros
import Foundation

@objcMembers
class Exposed: NSObject {
    @Bridged
    open func fetch(completionHandler: @escaping (Data?, URLResponse?, NSError?) -> Void) -> URLSessionDataTask {}
}

class Partly: NSObject {
    @objc(fetchWithCompletion:)
    @Bridged
    dynamic func fetch(completion: @escaping (Error?) -> Void) {}

    @IBAction
    @Bridged
    class func press(_ sender: Any, completion: (() -> Void)!) {}
}
