/** The highlight of what a search has found in the message that it shows, and of what it has found in others. */
const SHOWN_MATCH = "shown-match";
const MATCH = "match";

/** A style sheet of its own, as the build of style sheets knows no `::highlight`, and pages without a search need none. */
const STYLES = `@media screen {
  ::highlight(${MATCH}) {
    background-color: color-mix(in srgb, var(--accent) 20%, transparent);
  }
  ::highlight(${SHOWN_MATCH}) {
    background-color: var(--accent);
    color: var(--accent-contrast);
  }
}`;

let styles: CSSStyleSheet | undefined;

const addStyles = (): void => {
  if (styles) return;
  styles = new CSSStyleSheet();
  styles.replaceSync(STYLES);
  document.adoptedStyleSheets.push(styles);
};

/** The highlights of the page; undefined in a browser without them. */
const getHighlights = (): HighlightRegistry | undefined =>
  "highlights" in CSS ? CSS.highlights : undefined;

type Matches = { shown: readonly Range[]; others: readonly Range[] };

/** Colors what a search has found, which leaves the elements of the page as they are. */
export const setMatchHighlights = ({ shown, others }: Matches): void => {
  addStyles();
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
