/** Creates a function that computes a result once for each object. */
export const memoizeByObject = <Key extends object, Result>(compute: (key: Key) => Result) => {
  const results = new WeakMap<Key, Result>();
  return (key: Key): Result => {
    const known = results.get(key);
    if (known !== undefined || results.has(key)) return known as Result;
    const result = compute(key);
    results.set(key, result);
    return result;
  };
};
