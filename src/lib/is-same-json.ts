/** Whether two JSON values are equal; the order of the members of an object does not matter. */
export const isSameJson = (one: unknown, other: unknown): boolean => {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return one === other;
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const entries = Object.entries(one);
  return (
    entries.length === Object.keys(other).length &&
    entries.every(
      ([key, value]) =>
        Object.hasOwn(other, key) && isSameJson(value, (other as Record<string, unknown>)[key]),
    )
  );
};
