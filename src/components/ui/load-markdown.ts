import type Renderer from "./markdown-renderer";
import { nextTask } from "./next-task";
import { importPart } from "@/lib/import-part";

let loading: Promise<{ default: typeof Renderer }> | undefined;

/** Loads the renderer of markdown: large, and many chats have nothing but plain text. */
export const loadMarkdown = () => (loading ??= importPart(() => import("./markdown-renderer")));

/** The same, with each part of it in a task of its own. */
export const loadMarkdownInParts = () => (loading ??= importPart(importInParts));

const importInParts = async () => {
  const { importMarkdownTree } = await import("./markdown-syntax");
  await nextTask();
  const { importRenderer } = await importMarkdownTree();
  await nextTask();
  return importRenderer();
};
