/**
 * The parser of Markdown. Exported so that the bundler keeps it in this chunk.
 *
 * @public
 */
export { createMarkdownParser } from "./markdown-parser";

/** Imported from here, so that the bundler does not repeat the modules of this chunk. */
export const importMarkdownTree = () => import("./markdown-tree");
