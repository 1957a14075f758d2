/** The standard normal quantile of a two-sided interval of 95 %. */
const Z = 1.959963984540054;

/**
 * Wilson's score interval of a proportion, 95 %, without continuity correction (E. B. Wilson, JASA 22, 1927, p. 209).
 * @param n at least 1
 */
export function wilson(count: number, n: number): { readonly low: number; readonly high: number } {
  const p = count / n;
  const z2 = Z * Z;
  const centre = p + z2 / (2 * n);
  const spread = Z * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  const scale = 1 + z2 / n;
  // At both ends the formula is exact, and its rounding is not.
  return {
    low: count === 0 ? 0 : (centre - spread) / scale,
    high: count === n ? 1 : (centre + spread) / scale,
  };
}
