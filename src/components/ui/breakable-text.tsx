import { createElement, type ReactNode } from "react";
import { createTextSplitter, MAX_UNSPLIT_LENGTH } from "@/lib/split-text";

/** Shows a text of any length, such as a model's or a tool's, in time that grows with its length only. */
export const BreakableText = ({ text }: { text: string }): ReactNode =>
  text.length > MAX_UNSPLIT_LENGTH ? joinPieces(createTextSplitter()(text)) : text;

/**
 * Puts places for line breaks between pieces; they are not copied with the text.
 *
 * @param before the number of `wbr` elements before these, as siblings need unique keys.
 */
export const joinPieces = (pieces: readonly string[], before = 0): ReactNode[] =>
  pieces.flatMap((piece, index) =>
    index === 0 ? [piece] : [createElement("wbr", { key: `wbr-${before + index}` }), piece],
  );
