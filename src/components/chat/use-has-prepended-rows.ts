import { useState } from "react";

/**
 * Whether the last change of a list's length added rows before the first one. The result holds until
 * the length changes again, as the `shift` prop of virtua's Virtualizer requires.
 */
export const useHasPrependedRows = (firstId: string | undefined, count: number): boolean => {
  const [seen, setSeen] = useState({ firstId, count, hasPrepended: false });
  if (seen.count === count && seen.firstId === firstId) return seen.hasPrepended;
  const hasPrepended = count > seen.count && seen.firstId !== undefined && seen.firstId !== firstId;
  setSeen({ firstId, count, hasPrepended });
  return hasPrepended;
};
