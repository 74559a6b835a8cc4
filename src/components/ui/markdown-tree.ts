/**
 * The conversion of Markdown to elements. Exported so that the bundler keeps it in this chunk.
 *
 * @public
 */
export { toSafeTree } from "./safe-tree";

/** Imported from here, so that the bundler does not repeat the modules of this chunk. */
export const importRenderer = () => import("./markdown-renderer");
