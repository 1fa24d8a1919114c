#!/usr/bin/env python3
"""Draws the example images: lying bars, standing bars, a disc or a frame, moved about, 12 x 12 pixels, one pixel in
twenty-five inverted. Writes shapes-{auxiliary,private,test}.idx and -labels.idx for the last two; and campaign-*.idx, where
crosses join them: those who hold one, those who do not, and a test for who can tell them apart. Always the same."""
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
    if shape == 3:
        return 2.5 < radius < 5
    return abs(abs(x - 5.5) - abs(y - 5.5)) < 1.5


def image(shape, source):
    dx, dy = source.randint(-1, 1), source.randint(-1, 1)
    return bytes(
        255 if drawn(shape, dx, dy, x, y) != (source.random() < 0.04) else 0 for y in range(SIDE) for x in range(SIDE)
    )


def write_images(name, shapes, source):
    with open(f"{name}.idx", "wb") as file:
        file.write(struct.pack(">4B3I", 0, 0, 8, 3, len(shapes), SIDE, SIDE))
        file.write(b"".join(image(shape, source) for shape in shapes))


def write_labels(name, labels):
    with open(f"{name}-labels.idx", "wb") as file:
        file.write(struct.pack(">4BI", 0, 0, 8, 1, len(labels)) + bytes(labels))


source = random.Random(1)
for name, count in (("auxiliary", 400), ("private", 1000), ("test", 400)):
    labels = bytes(source.randrange(4) for _ in range(count))
    write_images(f"shapes-{name}", labels, source)
    if name != "auxiliary":
        write_labels(f"shapes-{name}", labels)
for name, shapes in (("others", [0, 1, 2, 3] * 75), ("crosses", [4] * 300), ("test", [0, 4, 1, 4, 2, 4, 3, 4] * 25)):
    write_images(f"campaign-{name}", shapes, source)
    if name == "test":
        write_labels(f"campaign-{name}", [shape == 4 for shape in shapes])
