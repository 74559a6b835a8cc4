import type { Tag } from "./value-frame";

/** A tag, and where it is in a text. */
export type PlainTag = {
  start: number;
  end: number;
  /** What it opens. */
  tag?: Tag;
  /** The name of the element that it closes. */
  closes?: string;
};

/** A text without references, and a tag with at most one attribute of those that mean something. */
const PLAIN_TAG =
  /^[^<>&]*<(?:\/([A-Za-z_][\w.-]*)|([A-Za-z_][\w.-]*)(?: (name|type|key)="([^"<>&]*)")?)>/;
const NO_ATTRIBUTES = Object.freeze({});

/** Finds the first tag of a text, if it is written as nearly all are. */
export const findPlainTag = (text: string): PlainTag | undefined => {
  const found = PLAIN_TAG.exec(text);
  if (!found) return undefined;
  const [all, closes, name = "", attribute, value = ""] = found;
  const [start, end] = [all.indexOf("<"), all.length];
  if (closes !== undefined) return { start, end, closes };
  const attributes = attribute === undefined ? NO_ATTRIBUTES : { [attribute]: value };
  return { start, end, tag: { name, attributes } };
};
