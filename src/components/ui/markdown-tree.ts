import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { marked } from "marked";
import rehypeSanitize from "rehype-sanitize";
import remarkRehype from "remark-rehype";

/**
 * The conversion of Markdown to elements. Exported so that the bundler keeps it in this chunk.
 *
 * @public
 */
export const markdownTree = [marked, remarkRehype, rehypeSanitize, toJsxRuntime];

/** Imported from here, so that the bundler does not repeat the modules of this chunk. */
export const importRenderer = () => import("./markdown-renderer");
