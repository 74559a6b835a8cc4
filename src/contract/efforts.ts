/** How much a model thinks before it answers, from least to most, as people choose it. */
export const EFFORTS = {
  none: "Off",
  minimal: "Minimal",
  low: "Low",
  medium: "Medium",
  high: "High",
  xhigh: "Very high",
  max: "Maximum",
};

export type Effort = keyof typeof EFFORTS;

export const EFFORT_NAMES = Object.keys(EFFORTS) as Effort[];

/**
 * Finds what a model thinks with that does not have an effort: the next lower one with which it thinks, so that it costs no
 * more than asked for, else the next higher one.
 *
 * @param efforts those that the model has.
 * @returns undefined if it has none.
 */
export const findNearestEffort = (
  wanted: Effort,
  efforts: readonly Effort[],
): Effort | undefined => {
  if (efforts.includes(wanted)) return wanted;
  const rank = EFFORT_NAMES.indexOf(wanted);
  const isThinking = (name: Effort): boolean => name !== "none" && efforts.includes(name);
  return (
    EFFORT_NAMES.slice(0, rank).findLast(isThinking) ??
    EFFORT_NAMES.slice(rank + 1).find(isThinking)
  );
};
