import { isDeepStrictEqual } from "node:util";
import { DomainError } from "@/contract/domain-error";
import { ElicitationAnswer } from "@/contract/elicitation";
import type { JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { actorId, type ServerContext } from "@/server/context";
import { type ChatWithCalls, readChatWithCalls } from "@/server/db/sql/chat-reads";
import type { CallAnswer } from "@/server/db/sql/call-answers";
import { completeAction } from "@/server/db/sql/complete-action";
import { recentChanges } from "@/server/db/recent-changes";
import type { ToolCallPartRow } from "@/server/db/rows";
import { checkAnswer, type ExpectedValue } from "./check-answer";
import { canWrite } from "@/server/db/viewer";
import { settle } from "@/server/tools/settle";
import { validateValues } from "@/server/tools/validate-values";
import { requireOutcome } from "@/server/state-machine/require-outcome";
import { unknownChat } from "./lock-chat";

export type SubmittedResult = {
  toolCallId: string;
  output: JsonValue;
  isError: boolean;
  /** Which question of the call it answers; undefined for the one that is open. */
  question?: number | undefined;
};

type OutputError = FieldError & { toolCallId: string };

type Submission = {
  results: SubmittedResult[];
  /** Undefined until validated. Once is enough, unless a call asks something else meanwhile. */
  validated: { expected: ExpectedValue[]; errors: OutputError[] } | undefined;
};

/**
 * Answers all open dynamic tool calls of a parked chat at once: the first caller wins, every later
 * one gets a conflict. Chat and calls are read together, and written only if no transition has
 * come between, which is what a row lock would give (docs/adr/0008-use-compare-and-set-for-tool-results.md).
 *
 * @throws {DomainError} in this order: `not_found`; `conflict` for an archived chat, another status,
 *   an invalid state, a question that is not open any more; `invalid` for duplicate ids, missing ids, ids that are not open, outputs that do
 *   not match the schema. An `invalid` error names all affected ids.
 */
export const submitToolResults = async (
  ctx: ServerContext,
  input: { chatId: string; results: SubmittedResult[] },
): Promise<void> => {
  const { chatId } = input;
  const viewer = ctx.actor;
  const submission: Submission = { results: input.results, validated: undefined };
  const remembered = recentChanges(ctx.db).parked(chatId, viewer);
  if (remembered && (await submitRemembered(ctx, remembered, submission))) return;
  for (;;) {
    const parked = await readChatWithCalls(ctx.db, { chatId, viewer });
    if (!parked || !canWrite(viewer, parked.chat)) throw unknownChat(chatId);
    // Another transition may have changed the chat, so it is read and checked again.
    if (await tryToSubmit(ctx, parked, submission)) return;
  }
};

/**
 * Submits on the basis of the cached chat, whose version the write verifies. A refusal verifies nothing,
 * so it is decided from a read.
 */
const submitRemembered = async (
  ctx: ServerContext,
  parked: ChatWithCalls,
  submission: Submission,
): Promise<boolean> => {
  try {
    return await tryToSubmit(ctx, parked, submission);
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
};

/** @returns false when the chat must be read again, as it has changed or may have. */
const tryToSubmit = async (
  ctx: ServerContext,
  { chat, openCalls }: ChatWithCalls,
  submission: Submission,
): Promise<boolean> => {
  const { results } = submission;
  requireOutcome(chat, "complete_action");
  checkQuestions(results, openCalls);
  checkIds(results, openCalls);
  const expected = toExpected(results, { chat, openCalls });
  if (!isDeepStrictEqual(submission.validated?.expected, expected)) {
    const errors = await validateOutputs(ctx, results, expected);
    submission.validated = { expected, errors };
    // The chat may have changed meanwhile, which would be another refusal.
    if (errors.length > 0) return false;
  }
  refuseOutputs(submission.validated?.errors ?? []);
  const undecided = openCalls.some(({ state }) => state === "awaiting_approval");
  const by = actorId(ctx.actor);
  const completed = await completeAction(ctx.db, {
    chat,
    event: undecided ? "decide_some" : "complete_action",
    resolvedBy: by,
    answers: results.map((result) => toCallAnswer(result, { openCalls, by })),
  });
  if (completed) recentChanges(ctx.db).add(completed);
  return completed !== undefined;
};

/** @throws {DomainError} `conflict` for an answer to a question that is not open any more. */
const checkQuestions = (results: SubmittedResult[], open: readonly ToolCallPartRow[]): void => {
  for (const { toolCallId, question } of results) {
    if (question === undefined) continue;
    const call = open.find((each) => each.toolCallId === toolCallId);
    // Its server has taken it back, somebody has answered it, or the call has ended.
    if (call?.state !== "awaiting_result") {
      throw new DomainError(
        "conflict",
        "The question is not open any more. Read what the chat waits for by now.",
      );
    }
    const asked = call.elicitations?.length;
    if (asked === undefined || asked === question) continue;
    throw new DomainError(
      "conflict",
      "The server asks something else by now. Read its question, and answer that.",
    );
  }
};

/** Throws for the first broken rule, with all ids that break it. */
const checkIds = (results: SubmittedResult[], open: ToolCallPartRow[]): void => {
  const ids = results.map(({ toolCallId }) => toolCallId);
  const lastIndexes = new Map(ids.map((id, index) => [id, index]));
  const awaited = new Set(
    open.filter(({ state }) => state === "awaiting_result").map(({ toolCallId }) => toolCallId),
  );
  const pointer = (id: string) => `/results/${lastIndexes.get(id)}/tool_call_id`;
  refuse([...new Set(ids.filter((id, index) => lastIndexes.get(id) !== index))], {
    what: "Duplicate tool call ids",
    message: "is given twice",
    pointer,
  });
  refuse(
    [...awaited].filter((id) => !lastIndexes.has(id)),
    {
      what: "Missing results for open tool calls",
      message: "has no result for",
      pointer: () => "/results",
    },
  );
  refuse(
    [...lastIndexes.keys()].filter((id) => !awaited.has(id)),
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

/** The result of a call; or, for one that asks, the answer with which it runs on. */
const toCallAnswer = (
  { toolCallId, output, isError }: SubmittedResult,
  { openCalls, by }: { openCalls: readonly ToolCallPartRow[]; by: string },
): CallAnswer => {
  const asked = openCalls.find((call) => call.toolCallId === toolCallId)?.elicitations ?? [];
  const last = asked.at(-1);
  if (!last) return { toolCallId, ...settle({ type: "answered", output, isError, by }) };
  const answered = { ...last, answer: ElicitationAnswer.parse(output), answered_by: by };
  return { toolCallId, state: "running", elicitations: [...asked.slice(0, -1), answered] };
};

/** What each result has to be. */
const toExpected = (
  results: SubmittedResult[],
  { chat, openCalls }: ChatWithCalls,
): ExpectedValue[] => {
  const calls = new Map(openCalls.map((call) => [call.toolCallId, call]));
  return results.map((result) => {
    const call = calls.get(result.toolCallId);
    const elicitation = call?.elicitations?.at(-1);
    if (elicitation) return checkAnswer(result, elicitation);
    const tool = chat.dynamicTools.find(({ name }) => name === call?.toolName);
    const schema = result.isError ? undefined : tool?.output_schema;
    return { schema, value: result.output, at: "/output", errors: [] };
  });
};

const validateOutputs = async (
  ctx: ServerContext,
  results: SubmittedResult[],
  expected: ExpectedValue[],
): Promise<OutputError[]> => {
  const found = await validateValues(expected, ctx.actor.userId);
  return results.flatMap(({ toolCallId }, index) => {
    const { at = "", errors = [] } = expected[index] ?? {};
    const inValue = (found[index] ?? []).map((error) => ({
      ...error,
      pointer: `${at}${error.pointer}`,
    }));
    return [...errors, ...inValue].map(({ pointer, message }) => ({
      ...{ toolCallId, message },
      pointer: `/results/${index}${pointer}`,
    }));
  });
};

const refuseOutputs = (errors: OutputError[]): void => {
  if (errors.length === 0) return;
  const ids = [...new Set(errors.map(({ toolCallId }) => toolCallId))].toSorted();
  throw new DomainError(
    "invalid",
    `Outputs that do not match their tool's output_schema: ${ids.join(", ")}.`,
    { errors: errors.map(({ pointer, message }) => ({ pointer, message })) },
  );
};
