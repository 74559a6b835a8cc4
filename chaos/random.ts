/** Random choices, which are the same for the same seed. */
export type Random = {
  /** @returns a number from 0 to 1. */
  next: () => number;
  between: (min: number, max: number) => number;
  pick: <Item>(items: readonly Item[]) => Item | undefined;
};

export const createSeededRandom = (seed: number): Random => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (min, max) => min + next() * (max - min),
    pick: (items) => items[Math.floor(next() * items.length)],
  };
};
