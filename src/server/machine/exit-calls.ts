import type { ServerContext } from "@/server/context";
import type { OpenCall } from "@/server/db/chats/call-writes";
import { log } from "@/server/log";
import { type EndedCall, exitCall } from "@/server/recipes/exit-call";
import type { ToolSource } from "@/server/tools/tool-source";

/** A call whose end a change has committed. */
export type ClosedCall = EndedCall;

/** Of other tools than recipes, none does anything at the end of a call. */
export const toClosedCalls = (
  chatId: string,
  closed: readonly Pick<OpenCall, "toolCallId" | "toolName" | "kind" | "args">[],
): ClosedCall[] =>
  closed
    .filter(({ kind }) => kind === "recipe")
    .map(({ toolCallId, toolName, args }) => ({ chatId, toolCallId, toolName, args }));

/** Whether a worker that holds the chat has begun a call. */
export const isBegun = ({ state, approved }: Pick<OpenCall, "state" | "approved">): boolean =>
  state === "running" && !approved;

/** Runs what recipes have for the end of a call, once it is committed. Does not reject. */
export const exitClosedCalls = async (
  toolSources: readonly ToolSource[],
  calls: readonly ClosedCall[],
): Promise<void> => {
  if (calls.length === 0) return;
  // A process that has just started knows its recipes only when they were listed.
  const sources = toolSources.filter(({ kind }) => kind === "recipe");
  await Promise.all(sources.map(async ({ listTools }) => listTools(ANY_CHAT)));
  await Promise.all(calls.map(exitCall));
};

/** Recipes are the same in all chats. */
const ANY_CHAT = {
  chatId: "",
  rootChatId: "",
  userId: "",
  isRoot: true,
  hasAdvisor: true,
  dynamicTools: [],
  toolNames: null,
  toolModes: {},
  log: { warn: (fields: object, message: string) => log().warn(fields, message) },
};

/** Commits what a verb changes, and then runs what the calls that it has closed have for their end. Rejects as the change does. */
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
