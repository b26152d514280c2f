#include "tune/SizeProduct.h"

#include "ir/Build.h"

namespace hone::tune {

using namespace ir;

ExprPtr sizeProduct(const std::vector<ExprPtr>& sizes) {
  if (sizes.size() == 1) return sizes.front();
  unsigned bits = 0;
  for (const ExprPtr& size : sizes) bits += size->type->bits - (size->type->isSigned ? 1 : 0);
  const TypePtr type = bits < 63 ? int64() : floatType(64);
  ExprPtr product;
  for (const ExprPtr& size : sizes) {
    const ExprPtr value = convert(size, type);
    product = product ? binary(BinaryOp::Mul, product, value) : value;
  }
  return product;
}

}  // namespace hone::tune
