import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { marked } from "marked";
import rehypeSanitize from "rehype-sanitize";
import remarkRehype from "remark-rehype";

/**
 * What the renderer turns markdown into elements with; an export, so that the bundler keeps it in this part.
 *
 * @public
 */
export const markdownTree = [marked, remarkRehype, rehypeSanitize, toJsxRuntime];

/** Imported from here, as the bundler then leaves out what this part has. */
export const importRenderer = () => import("./markdown-renderer");
