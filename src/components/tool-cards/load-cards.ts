import { lazyParts } from "@/components/ui/lazy-parts";
import { nextTask } from "@/components/ui/next-task";

/** The cards of all tools: chats that only talk need none. */
export const ToolCalls = lazyParts(
  () => import("./tool-calls"),
  async () => {
    const { importToolCalls } = await import("./card-library");
    await nextTask();
    return importToolCalls();
  },
);

/** Loads the code that reads and writes drafts of forms. */
export const loadDrafts = async () => {
  const { importDrafts } = await import("./card-library");
  await nextTask();
  return importDrafts();
};
