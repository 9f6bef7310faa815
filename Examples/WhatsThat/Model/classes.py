# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""What the model knows, and which other drawings teach it what it does not know."""

from __future__ import annotations

import random
from typing import Final

# Each label with the character whose drawings it names.
THINGS: Final = (
    ("dog face", "🐶"), ("cat face", "🐱"), ("mouse face", "🐭"), ("rabbit face", "🐰"), ("bear face", "🐻"),
    ("panda face", "🐼"), ("tiger face", "🐯"), ("lion face", "🦁"), ("cow face", "🐮"), ("pig face", "🐷"),
    ("frog face", "🐸"), ("monkey face", "🐵"), ("chicken", "🐔"), ("penguin", "🐧"), ("fish", "🐟"),
    ("octopus", "🐙"), ("snail", "🐌"), ("honeybee", "🐝"), ("turtle", "🐢"), ("elephant", "🐘"),
    ("horse", "🐎"), ("snake", "🐍"), ("whale", "🐳"), ("butterfly", "🦋"), ("crab", "🦀"),
    ("red apple", "🍎"), ("pear", "🍐"), ("banana", "🍌"), ("grapes", "🍇"), ("watermelon", "🍉"),
    ("tomato", "🍅"), ("strawberry", "🍓"), ("cherries", "🍒"), ("hamburger", "🍔"), ("pizza", "🍕"),
    ("ice cream", "🍦"), ("cake", "🍰"), ("fried egg", "🍳"), ("cup of coffee", "☕"), ("car", "🚗"),
    ("bus", "🚌"), ("bicycle", "🚲"), ("airplane", "✈"), ("rocket", "🚀"), ("ship", "🚢"),
    ("locomotive", "🚂"), ("tractor", "🚜"), ("fir tree", "🌲"), ("cactus", "🌵"), ("palm tree", "🌴"),
    ("tulip", "🌷"), ("mushroom", "🍄"), ("sun", "☀"), ("crescent moon", "🌙"), ("snowman", "⛄"),
    ("umbrella", "☂"), ("alarm clock", "⏰"), ("key", "🔑"), ("scissors", "✂"), ("bell", "🔔"),
    ("light bulb", "💡"), ("camera", "📷"), ("telephone", "☎"), ("open book", "📖"), ("guitar", "🎸"),
    ("trumpet", "🎺"), ("soccer ball", "⚽"), ("basketball", "🏀"), ("crown", "👑"), ("shoe", "👞"),
    ("glasses", "👓"), ("house", "🏠"), ("hammer", "🔨"), ("balloon", "🎈"), ("wrapped present", "🎁"),
)  # fmt: skip

NOTHING: Final = "none of these"
LABELS: Final = (*(label for label, _ in THINGS), NOTHING)

# Other drawings of what the model knows, and parts of them. To call a drawing of a dog "dog face" is no mistake, and
# "none of these" is none either: they are in no set.
_LOOK_ALIKES: Final = (
    "🐕🐩🐈🦮🐁🐀🐹🐇🐄🐂🐃🐖🐗🐽🐒🙈🙉🙊🐓🐤🐥🐣🐠🐡🐋🐅🐆🐴🦄🦓🏇🐾🐨🦣"
    "🍏🍈🍋🥭🍊🍨🍧🍡🎂🧁🥘🍵🥚🥪🚙🚕🚖🚘🚓🚔🛻🚐🚎🚍🚴🚵🏍🛵🛺🛩🛫🛬⛵🚤🛳⛴🛥🚆🚄🚅🚃🚋🚞🚉🚊🚛🚚"
    "🌳🎄🎋🌞🌅🌄🌇🔆🔅🌤⛅🌥🌦🌛🌜🌒🌘🌑🌚🌝☪☃🧊☔⛱🏖🌂🌊🗝🔐🔏🛎🔕📸📹🎥📞📱☏📲📚📕📗📘📙📓📔📒📰🎻🪕🎷"
    "😸😹😺😻😼😽😾😿🙀🧸🎠📯🏝🏎🚑🚒🚇🚈🚝🌓🌗🌕🌖🌔🏉"
    "🏐🏈⚾🎾🥎⛹👟👠👢🥾🥿👡🩰🕶👓🥽🏡🏘🏚🏢⛪🕍⚒🛠⛏🪓🔧🥀🌹💐⌚⏱⏲🕰🛍🎀🤴👸🦊🐺🦝🐍🐉🐲🦑🦞🦐🐛🐜🐞🦗"
    + "".join(chr(clock) for clock in range(0x1F550, 0x1F568))
)

_BLOCKS: Final = ((0x2600, 0x27BF), (0x1F300, 0x1F64F), (0x1F680, 0x1F6FF), (0x1F900, 0x1F9FF))
# Patches of a colour that is not a drawing.
_SKIN_TONES: Final = range(0x1F3FB, 0x1F400)
_PARTITION_SEED: Final = 20
_TRAINING_SHARE: Final = 0.6
_VALIDATION_SHARE: Final = 0.15


def other_characters(known: set[int]) -> tuple[list[str], list[str], list[str]]:
    """The drawings of a font that show none of the things: those for training, for validation and for tests."""
    excluded = {ord(character) for _, character in THINGS} | set(map(ord, _LOOK_ALIKES)) | set(_SKIN_TONES)
    points = [point for first, last in _BLOCKS for point in range(first, last + 1)]
    others = [chr(point) for point in points if point in known and point not in excluded]
    random.Random(_PARTITION_SEED).shuffle(others)
    training = int(len(others) * _TRAINING_SHARE)
    validation = training + int(len(others) * _VALIDATION_SHARE)
    return others[:training], others[training:validation], others[validation:]
