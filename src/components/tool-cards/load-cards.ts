import { nextTask } from "@/components/ui/next-task";

/** Loads the cards of all tools: chats that only talk need none. */
export const loadToolCall = () => import("./tool-call");
export const loadToolCallGroup = () => import("./tool-call-group");

/** The same, with each part of it in a task of its own. */
export const loadToolCallInParts = async () => {
  const { importToolCall } = await import("./card-library");
  await nextTask();
  return importToolCall();
};

export const loadToolCallGroupInParts = async () => {
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
