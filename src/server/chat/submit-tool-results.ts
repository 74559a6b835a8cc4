import { DomainError } from "@/contract/domain-error";
import type { DynamicTool } from "@/contract/dynamic-tool";
import type { JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { actorId, type ServerContext } from "@/server/context";
import { answerCalls, listOpenCalls } from "@/server/db/message-writes";
import type { ToolCallPartRow } from "@/server/db/rows";
import { checkInTime } from "@/server/tools/check-in-time";
import { settle } from "@/server/tools/settle";
import { requireOutcome } from "./chat-state";
import { lockOwnedChat } from "./lock-owned-chat";
import { applyTransition } from "./transition";

export type SubmittedResult = { toolCallId: string; output: JsonValue; isError: boolean };

/**
 * Answers all open dynamic tool calls of a parked chat at once, under its row lock: the first
 * caller wins, every later one gets a conflict.
 *
 * @throws {DomainError} in this order: `not_found`; `conflict` when archived, when the status is
 *   another, when the state is invalid; `invalid` for an id that comes twice, an open id that is
 *   missing, an id that is not open, an output that its tool's schema refuses. Each `invalid`
 *   names all ids it is about.
 */
export const submitToolResults = (
  ctx: ServerContext,
  input: { chatId: string; results: SubmittedResult[] },
): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const chat = await lockOwnedChat(tx, ctx, input.chatId);
    requireOutcome(chat, "complete_action");
    const open = await listOpenCalls(tx, chat.id);
    checkIds(input.results, open);
    checkOutputs(input.results, open, chat.dynamicTools);
    const by = actorId(ctx.actor);
    await answerCalls(tx, {
      chatId: chat.id,
      revision: chat.version + 1,
      resolvedBy: by,
      answers: input.results.map(({ toolCallId, output, isError }) => ({
        toolCallId,
        ...settle({ type: "answered", output, isError, by }),
      })),
    });
    const undecided = open.some(({ state }) => state === "awaiting_approval");
    await applyTransition(tx, chat, {
      event: undecided ? "decide_some" : "complete_action",
      newId: ctx.newId,
      by,
      closeReason: "superseded",
      historyChanged: true,
    });
  });

/** The first rule that is broken answers, with all ids that break it. */
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
    return checkInTime(tool.output_schema, output).map((error): FieldError & { id: string } => ({
      id: toolCallId,
      pointer: `/results/${index}/output${error.pointer}`,
      message: error.message,
    }));
  });
  if (refused.length === 0) return;
  const ids = [...new Set(refused.map(({ id }) => id))].toSorted();
  throw new DomainError(
    "invalid",
    `Outputs that do not match their tool's output_schema: ${ids.join(", ")}.`,
    { errors: refused.map(({ pointer, message }) => ({ pointer, message })) },
  );
};
