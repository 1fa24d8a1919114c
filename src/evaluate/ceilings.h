// How often a classifier can be right about privatised points, whatever the encoder and the classifier: the two
// ceilings against which private accuracy is read. Both assume K equally likely classes.
//
// Range: 0 ≤ ε ≤ 1000 and 2 ≤ K ≤ 1,000,000; NaN outside. Within it the relative error is below 1e-14. What is a bound
// on *private* accuracy says nothing about classifiers that learn from many reports and then see clean points.
#pragma once

namespace sotto {

// The Laplace channel on the L1 ball, class k at vertex k, opposite vertices first until all classes have a place
// [Man21, Eqs. 13 and 43, for even K]. The dimension, at least ⌈K/2⌉, does not matter. That no other placement does
// better is the paper's conjecture, supported by its simulations in two and three dimensions.
double laplace_sphere_ceiling(double epsilon, int classes);

// Any ε-LDP channel at all: e^ε/(e^ε+K−1). With S_y the reports read as y, P(S_y | y) ≤ e^ε P(S_y | y') for each of the
// K−1 other y'; summed over both, K·A·(K−1) ≤ e^ε·K·(1−A). K-ary randomised response of the class reaches it.
double any_channel_ceiling(double epsilon, int classes);

}  // namespace sotto
