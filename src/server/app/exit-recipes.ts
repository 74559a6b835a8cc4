import { getFinalArgs } from "@/server/db/chats/rows";
import type { Database, EndedCalls } from "@/server/db/connection/database";
import { exitCall } from "@/server/recipes/exit-call";

type ExitDeps = {
  db: Pick<Database, "onCallsEnded">;
  /** Loads the recipes of this process, if that was not done yet. Does not reject. */
  listRecipes: () => Promise<unknown>;
};

/** Runs `onExit` of recipes for the calls whose ends this process commits (docs/adr/0085). */
export const exitRecipes = ({ db, listRecipes }: ExitDeps) => {
  const running = new Set<Promise<void>>();
  const exit = async ({ chatId, calls }: EndedCalls): Promise<void> => {
    // A process that has just started knows its recipes only when they were listed.
    await listRecipes();
    await Promise.all(
      calls.map(({ toolCallId, toolName, ...call }) =>
        exitCall({ chatId, toolCallId, toolName, args: getFinalArgs(call) }),
      ),
    );
  };
  const unsubscribe = db.onCallsEnded(({ chatId, calls }) => {
    const ended = calls.filter(({ kind }) => kind === "recipe");
    if (ended.length === 0) return;
    const run = exit({ chatId, calls: ended }).finally(() => running.delete(run));
    running.add(run);
  });
  const settled = async (): Promise<void> => {
    await Promise.all(running);
  };
  return {
    /** Resolves when all that runs has ended. */
    settled,
    stop: async (): Promise<void> => {
      unsubscribe();
      await settled();
    },
  };
};
