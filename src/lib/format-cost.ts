/** Millionths of money as money: `0.0042`, `0.31`, `12.50`. The price list's currency has no sign here. */
export const formatCost = (micros: number): string => {
  const value = micros / 1_000_000;
  return value > 0 && value < 0.1 ? value.toPrecision(2) : value.toFixed(2);
};
