type Page = {
  /** Counted from 1. */
  first: number;
  count: number;
  total: number;
};

/** Says which part of the whole a page is, and where the next one begins. @returns undefined for a page that is the whole. */
export const describePage = (what: string, { first, count, total }: Page): string | undefined => {
  if (first === 1 && count === total) return undefined;
  const last = first - 1 + count;
  const next = last < total ? `go on with offset ${last + 1}` : "this is the end";
  return `(${what} ${first} to ${last} of ${total}; ${next}.)`;
};
