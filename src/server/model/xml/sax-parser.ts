import sax from "sax";

/** The entities of XML. */
const ENTITIES = { amp: "&", apos: "'", gt: ">", lt: "<", quot: '"' };

/** Fields that the types of the package lack. */
export type SaxParser = sax.SAXParser & {
  state: number;
  /** The text that was read since the last tag. */
  textNode: string;
  /** The open elements. */
  tags: readonly sax.Tag[];
};

const { TEXT } = (sax as unknown as { STATE: { TEXT: number } }).STATE;

/** Creates a strict parser that knows no entities but those of XML. */
export const createSaxParser = (): SaxParser => {
  const parser = sax.parser(true) as SaxParser;
  // Its own table has those of HTML, and names that every object has.
  parser.ENTITIES = Object.assign(Object.create(null) as object, ENTITIES);
  // It would look at the length of names and texts once for each piece, so that the pieces would matter.
  return Object.assign(parser, { bufferCheckPosition: Infinity });
};

/** Whether the parser has read all tags, references and the like that have begun. */
export const isInText = ({ state }: SaxParser): boolean => state === TEXT;

/** The parser's messages end with its own position, which is not that of the block. */
export const describeSaxError = (message: string): string => {
  const [first = ""] = message.split("\n");
  return first.charAt(0).toLowerCase() + first.slice(1);
};
