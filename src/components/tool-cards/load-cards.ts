import { nextTask } from "@/components/ui/next-task";

/** Loads the cards of all tools: chats that only talk need none. Each part runs in a task of its own. */
export const loadToolCall = async () => {
  const { importToolCall } = await import("./card-library");
  await nextTask();
  return importToolCall();
};

export const loadToolCallGroup = async () => {
  const { importToolCallGroup } = await import("./card-library");
  await nextTask();
  return importToolCallGroup();
};

/** Loads what knows the drafts of forms. */
export const loadDrafts = async () => {
  const { importDrafts } = await import("./card-library");
  await nextTask();
  return importDrafts();
};
