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

/** Loads the library that cards and forms need before a part, so that it runs in a task of its own. */
export const afterCardLibrary =
  <Part>(load: () => Promise<Part>) =>
  async (): Promise<Part> => {
    await import("./card-library");
    await nextTask();
    return load();
  };
