import { createElement, type ReactNode } from "react";
import { createTextSplitter, MAX_UNSPLIT_LENGTH } from "@/lib/split-text";

/** Shows a text of any length, such as a model's or a tool's, in time that grows with its length only. */
export const BreakableText = ({ text }: { text: string }): ReactNode =>
  text.length > MAX_UNSPLIT_LENGTH ? joinPieces(createTextSplitter()(text)) : text;

/** @returns the pieces, with places for line breaks between them that are not copied with the text. */
export const joinPieces = (pieces: readonly string[]): ReactNode[] =>
  pieces.flatMap((piece, index) =>
    index === 0 ? [piece] : [createElement("wbr", { key: `wbr-${index}` }), piece],
  );
