declare module "@joplin/turndown-plugin-gfm" {
  import type { Plugin } from "turndown";

  /** Tables, task lists, strikethrough and code blocks with their language. */
  export const gfm: Plugin;
}
