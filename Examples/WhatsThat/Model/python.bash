# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
#
# What the example's Python scripts share. Sourced after Scripts/support.bash: gives `example`, the example's folder,
# and `prepare_python`.

example=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Sets `python` to the Python of an environment in the example's .build that has the packages of the named files.
# The environment is made at the first call; when it has all packages, nothing is fetched.
prepare_python() {
    local environment=$example/.build/python file options=()
    python=$environment/bin/python
    # No byte code beside the sources.
    export PYTHONPYCACHEPREFIX=$example/.build/bytecode
    require_packages python3-venv
    if [[ ! -x $python ]]; then
        step "Making a Python environment in Examples/WhatsThat/.build"
        python3 -m venv "$environment"
    fi
    for file in "$@"; do options+=(--requirement "$example/$file"); done
    "$python" -m pip install --quiet --disable-pip-version-check "${options[@]}" >&2
}
