import { nextTask } from "./next-task";

/** Loads the renderer of markdown: large, and many chats have nothing but plain text. Each part runs in a task of its own. */
export const loadMarkdownRenderer = async () => {
  const { importMarkdownTree } = await import("./markdown-syntax");
  await nextTask();
  const { importRenderer } = await importMarkdownTree();
  await nextTask();
  return importRenderer();
};
