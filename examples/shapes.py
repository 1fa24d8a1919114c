#!/usr/bin/env python3
"""Draws the example images: lying bars, standing bars, a disc or a frame, moved about, 12 x 12 pixels, one pixel in
twenty-five inverted. Writes shapes-{auxiliary,private,test}.idx and -labels.idx for the last two. Always the same."""
import random
import struct

SIDE = 12


def drawn(shape, dx, dy, x, y):
    x, y = x - dx, y - dy
    if shape == 0:
        return y % 4 < 2
    if shape == 1:
        return x % 4 < 2
    radius = max(abs(x - 5.5), abs(y - 5.5))
    if shape == 2:
        return (x - 5.5) ** 2 + (y - 5.5) ** 2 < 12
    return 2.5 < radius < 5


def image(shape, source):
    dx, dy = source.randint(-1, 1), source.randint(-1, 1)
    return bytes(
        255 if drawn(shape, dx, dy, x, y) != (source.random() < 0.04) else 0 for y in range(SIDE) for x in range(SIDE)
    )


source = random.Random(1)
for name, count in (("auxiliary", 400), ("private", 1000), ("test", 400)):
    labels = bytes(source.randrange(4) for _ in range(count))
    with open(f"shapes-{name}.idx", "wb") as file:
        file.write(struct.pack(">4B3I", 0, 0, 8, 3, count, SIDE, SIDE))
        file.write(b"".join(image(label, source) for label in labels))
    if name != "auxiliary":
        with open(f"shapes-{name}-labels.idx", "wb") as file:
            file.write(struct.pack(">4BI", 0, 0, 8, 1, count) + labels)
