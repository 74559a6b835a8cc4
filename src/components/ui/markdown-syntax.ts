import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";

/**
 * The parser of Markdown. Exported so that the bundler keeps it in this chunk.
 *
 * @public
 */
export const markdownSyntax = [remarkParse, remarkGfm];

/** Imported from here, so that the bundler does not repeat the modules of this chunk. */
export const importMarkdownTree = () => import("./markdown-tree");
