import type { Content } from "./content";

/** Creates the content of a message: its files come before the text, as models read them best so. */
export const toContent = (text: string, fileIds: readonly string[]): Content => [
  ...fileIds.map((file_id) => ({ type: "file" as const, file_id })),
  ...(text.trim() === "" ? [] : [{ type: "text" as const, text }]),
];
