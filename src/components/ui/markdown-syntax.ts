import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";

/**
 * What the renderer reads markdown with; an export, so that the bundler keeps it in this part.
 *
 * @public
 */
export const markdownSyntax = [remarkParse, remarkGfm];

/** Imported from here, as the bundler then leaves out what this part has. */
export const importMarkdownTree = () => import("./markdown-tree");
