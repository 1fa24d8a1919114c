#include "sotto/backprop/gemm.h"

#include <cblas.h>

namespace sotto {
namespace {

// The library's own threads would fight with ours for the cores.
const bool one_thread_each = [] {
  openblas_set_num_threads(1);
  return true;
}();

CBLAS_TRANSPOSE order_of(MatrixView matrix) { return matrix.transposed ? CblasTrans : CblasNoTrans; }
int stride_of(MatrixView matrix) { return static_cast<int>(matrix.transposed ? matrix.rows : matrix.columns); }

}  // namespace

void multiply(MatrixView left, MatrixView right, float keep, float* product) {
  static_cast<void>(one_thread_each);
  cblas_sgemm(CblasRowMajor, order_of(left), order_of(right), static_cast<int>(left.rows),
              static_cast<int>(right.columns), static_cast<int>(left.columns), 1.0F, left.values, stride_of(left),
              right.values, stride_of(right), keep, product, static_cast<int>(right.columns));
}

}  // namespace sotto
