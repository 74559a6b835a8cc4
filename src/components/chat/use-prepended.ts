import { useState } from "react";

type Ends = { first: string | undefined; last: string | undefined; count: number };

/**
 * Whether the newest change of a list put rows before its first one, as loading older ones does.
 * The answer stands until the list changes its length again, which is how virtua wants to know it.
 */
export const usePrepended = (
  ids: { first: string | undefined; last: string | undefined },
  count: number,
): boolean => {
  const [seen, setSeen] = useState<Ends & { prepended: boolean }>({
    ...ids,
    count,
    prepended: false,
  });
  if (seen.count === count && seen.first === ids.first) return seen.prepended;
  const prepended = count > seen.count && seen.first !== undefined && seen.first !== ids.first;
  setSeen({ ...ids, count, prepended });
  return prepended;
};
