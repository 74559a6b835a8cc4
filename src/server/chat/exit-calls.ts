import type { ServerContext } from "@/server/context";
import type { OpenCall } from "@/server/db/call-writes";
import { log } from "@/server/log";
import type { UnrunCall } from "@/server/tools/tool";
import type { OfferedTool, ToolSource } from "@/server/tools/tool-source";

/** A call that was closed before it began, with the name of its tool. */
export type ClosedCall = UnrunCall & { toolName: string };

/**
 * Calls that no worker has begun: they wait for an approval, or have it. A worker ends those that it runs. Of other
 * tools than recipes, none does anything then.
 */
export const toClosedCalls = (chatId: string, closed: readonly OpenCall[]): ClosedCall[] =>
  closed
    .filter(({ kind, state, approved }) => kind === "recipe" && (state !== "running" || approved))
    .map(({ toolCallId, toolName, args }) => ({ chatId, toolCallId, toolName, args }));

/** Reports calls whose end was committed before they ran to their tools. Does not reject. */
export const exitClosedCalls = async (
  toolSources: readonly ToolSource[],
  calls: readonly ClosedCall[],
): Promise<void> => {
  if (calls.length === 0) return;
  const sources = toolSources.filter(({ kind }) => kind === "recipe");
  const lists = await Promise.all(sources.map(async ({ listTools }) => listTools(ANY_CHAT)));
  const tools = new Map<string, OfferedTool>(lists.flat().map((tool) => [tool.name, tool]));
  await Promise.all(
    calls.map(async ({ toolName, ...call }) => {
      const tool = tools.get(toolName);
      if (tool && tool.kind !== "dynamic") await tool.exitUnrun?.(call);
    }),
  );
};

/** Recipes are the same in all chats. */
const ANY_CHAT = {
  ...{ chatId: "", rootChatId: "", userId: "", isRoot: true, hasAdvisor: true },
  ...{ dynamicTools: [], toolNames: null, toolModes: {} },
  log: { warn: (fields: object, message: string) => log().warn(fields, message) },
};

/** Commits what a verb changes, and then reports the calls that it has closed. Rejects as the change does. */
export const commitAndExit = async <Result>(
  { db, toolSources }: Pick<ServerContext, "db" | "toolSources">,
  change: (
    tx: Parameters<Parameters<ServerContext["db"]["transaction"]>[0]>[0],
  ) => Promise<{ closed: readonly ClosedCall[]; result: Result }>,
): Promise<Result> => {
  const { closed, result } = await db.transaction(change);
  await exitClosedCalls(toolSources, closed);
  return result;
};
