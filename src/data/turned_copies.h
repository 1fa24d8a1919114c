// Images turned by quarters, as records of their own. A collector whose images do not show every kind gets room for the
// others: a turned image is nothing that its own images show, but may look like something that people hold [Tack20].
#pragma once

#include "sotto/data/dataset.h"
#include "sotto/mechanism/schema.h"

namespace sotto {

// The images, then each of them once more: turned by one, two or three quarters, in that order and over again. Images
// that are not square are upside down instead. Labels are dropped, as a turned image has none.
Dataset with_turned_copies(const Dataset& images, const ImageShape& shape);

}  // namespace sotto
