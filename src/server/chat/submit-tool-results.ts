import { DomainError } from "@/contract/domain-error";
import type { DynamicTool } from "@/contract/dynamic-tool";
import type { JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { actorId, type ServerContext } from "@/server/context";
import { type ChatWithCalls, readChatWithCalls } from "@/server/db/sql/chat-reads";
import { completeAction } from "@/server/db/sql/complete-action";
import { recentChanges } from "@/server/db/recent-changes";
import type { ToolCallPartRow } from "@/server/db/rows";
import { canWrite } from "@/server/db/viewer";
import { validateWithTimeout } from "@/server/tools/validate-with-timeout";
import { settle } from "@/server/tools/settle";
import { requireOutcome } from "@/server/state-machine/chat-state";
import { unknownChat } from "./lock-chat";

export type SubmittedResult = { toolCallId: string; output: JsonValue; isError: boolean };

/**
 * Answers all open dynamic tool calls of a parked chat at once: the first caller wins, every later
 * one gets a conflict. Chat and calls are read together, and written only if no transition has
 * come between, which is what a row lock would give (docs/adr/0008-use-compare-and-set-for-tool-results.md).
 *
 * @throws {DomainError} in this order: `not_found`; `conflict` for an archived chat, another status,
 *   an invalid state; `invalid` for duplicate ids, missing ids, ids that are not open, outputs that do
 *   not match the schema. An `invalid` error names all affected ids.
 */
export const submitToolResults = async (
  ctx: ServerContext,
  input: { chatId: string; results: SubmittedResult[] },
): Promise<void> => {
  const { chatId, results } = input;
  const viewer = ctx.actor;
  const remembered = recentChanges(ctx.db).parked(chatId, viewer);
  if (remembered && (await submitRemembered(ctx, remembered, results))) return;
  for (;;) {
    const parked = await readChatWithCalls(ctx.db, { chatId, viewer });
    if (!parked || !canWrite(viewer, parked.chat)) throw unknownChat(chatId);
    // Another transition has changed the chat, so it is read and checked again.
    if (await tryToSubmit(ctx, parked, results)) return;
  }
};

/**
 * Submits on the basis of the cached chat, whose version the write verifies. A refusal verifies nothing,
 * so it is decided from a read.
 */
const submitRemembered = async (
  ctx: ServerContext,
  parked: ChatWithCalls,
  results: SubmittedResult[],
): Promise<boolean> => {
  try {
    return await tryToSubmit(ctx, parked, results);
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
};

/** @returns false when the chat has changed since it was read. */
const tryToSubmit = async (
  ctx: ServerContext,
  { chat, openCalls }: ChatWithCalls,
  results: SubmittedResult[],
): Promise<boolean> => {
  requireOutcome(chat, "complete_action");
  checkIds(results, openCalls);
  checkOutputs(results, openCalls, chat.dynamicTools);
  const undecided = openCalls.some(({ state }) => state === "awaiting_approval");
  const by = actorId(ctx.actor);
  const completed = await completeAction(ctx.db, {
    chat,
    event: undecided ? "decide_some" : "complete_action",
    resolvedBy: by,
    answers: results.map(({ toolCallId, output, isError }) => ({
      toolCallId,
      ...settle({ type: "answered", output, isError, by }),
    })),
  });
  if (completed) recentChanges(ctx.db).add(completed);
  return completed !== undefined;
};

/** Throws for the first broken rule, with all ids that break it. */
const checkIds = (results: SubmittedResult[], open: ToolCallPartRow[]): void => {
  const ids = results.map(({ toolCallId }) => toolCallId);
  const given = new Set(ids);
  const awaited = new Set(
    open.filter(({ state }) => state === "awaiting_result").map(({ toolCallId }) => toolCallId),
  );
  const pointer = (id: string) => `/results/${ids.lastIndexOf(id)}/tool_call_id`;
  refuse(
    [...given].filter((id) => ids.indexOf(id) !== ids.lastIndexOf(id)),
    {
      what: "Duplicate tool call ids",
      message: "is given twice",
      pointer,
    },
  );
  refuse(
    [...awaited].filter((id) => !given.has(id)),
    {
      what: "Missing results for open tool calls",
      message: "has no result for",
      pointer: () => "/results",
    },
  );
  refuse(
    [...given].filter((id) => !awaited.has(id)),
    {
      what: "Results for tool calls that are not open",
      message: "is no open tool call",
      pointer,
    },
  );
};

const refuse = (
  ids: string[],
  { what, message, pointer }: { what: string; message: string; pointer: (id: string) => string },
): void => {
  if (ids.length === 0) return;
  const sorted = ids.toSorted();
  throw new DomainError("invalid", `${what}: ${sorted.join(", ")}.`, {
    errors: sorted.map((id) => ({ pointer: pointer(id), message: `${message}: "${id}"` })),
  });
};

const checkOutputs = (
  results: SubmittedResult[],
  open: ToolCallPartRow[],
  tools: DynamicTool[],
): void => {
  const toolOf = new Map(open.map(({ toolCallId, toolName }) => [toolCallId, toolName]));
  const refused = results.flatMap(({ toolCallId, output, isError }, index) => {
    const tool = tools.find(({ name }) => name === toolOf.get(toolCallId));
    if (isError || !tool) return [];
    return validateWithTimeout(tool.output_schema, output).map(
      (error): FieldError & { id: string } => ({
        id: toolCallId,
        pointer: `/results/${index}/output${error.pointer}`,
        message: error.message,
      }),
    );
  });
  if (refused.length === 0) return;
  const ids = [...new Set(refused.map(({ id }) => id))].toSorted();
  throw new DomainError(
    "invalid",
    `Outputs that do not match their tool's output_schema: ${ids.join(", ")}.`,
    { errors: refused.map(({ pointer, message }) => ({ pointer, message })) },
  );
};
