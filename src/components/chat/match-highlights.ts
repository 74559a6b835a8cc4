/** The highlight of what a search has found in the message that it shows, and of what it has found in others. */
const SHOWN_MATCH = "shown-match";
const MATCH = "match";

/** The highlights of the page; undefined in a browser without them. */
const getHighlights = (): HighlightRegistry | undefined =>
  "highlights" in CSS ? CSS.highlights : undefined;

type Matches = { shown: readonly Range[]; others: readonly Range[] };

/** Colors what a search has found, which leaves the elements of the page as they are. */
export const setMatchHighlights = ({ shown, others }: Matches): void => {
  const highlights = getHighlights();
  highlights?.set(SHOWN_MATCH, new Highlight(...shown));
  highlights?.set(MATCH, new Highlight(...others));
};

export const removeMatchHighlights = (): void => {
  getHighlights()?.delete(SHOWN_MATCH);
  getHighlights()?.delete(MATCH);
};

/** @returns the first place in the element that a search shows. */
export const findShownMatch = (element: Element): Range | undefined =>
  [...(getHighlights()?.get(SHOWN_MATCH) ?? [])].find(
    (range): range is Range => range instanceof Range && element.contains(range.startContainer),
  );
