/** Elements whose text does not go on in what follows them. */
const BLOCKS = "p, li, dt, dd, td, th, pre, blockquote, h1, h2, h3, h4, h5, h6, div, [data-block]";

/** A text of the page, and where it begins in the text of the whole. */
type Piece = { node: Text; start: number };

/**
 * Finds a text below an element, in any case. It may be in several elements, such as a word of which a part is bold.
 *
 * @returns the places, in the order of the document.
 */
export const findRanges = (element: Element, q: string): Range[] => {
  const { text, pieces } = readText(element);
  let current = 0;
  /** Only for a place after the one before. */
  const findPiece = (place: number): Piece | undefined => {
    while ((pieces[current + 1]?.start ?? Infinity) <= place) current += 1;
    return pieces[current];
  };
  return [...text.matchAll(toPattern(q))].flatMap(({ index, 0: { length } }) => {
    const start = findPiece(index);
    const end = findPiece(index + length - 1);
    if (!start || !end) return [];
    const range = document.createRange();
    range.setStart(start.node, index - start.start);
    range.setEnd(end.node, index + length - end.start);
    return [range];
  });
};

const readText = (element: Element): { text: string; pieces: Piece[] } => {
  const pieces: Piece[] = [];
  let text = "";
  let block: Element | null | undefined;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const nextBlock = node.parentElement?.closest(BLOCKS);
    if (block !== undefined && nextBlock !== block) text += "\n";
    block = nextBlock;
    pieces.push({ node, start: text.length });
    text += node.data;
  }
  return { text, pieces };
};

const toPattern = (q: string): RegExp =>
  new RegExp(q.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), "giu");
