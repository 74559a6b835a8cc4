import { DomainError } from "@/contract/domain-error";
import { ElicitationAnswer } from "@/contract/elicitation";
import type { JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import type { Actor, ServerContext } from "@/server/context";
import type { CallOutcome } from "@/server/db/sql/rows/part-columns";
import type { ChatWithCalls } from "@/server/db/sql/reads/chat-reads";
import { findHeld, type OpenCallRow, type ToolCallPartRow } from "@/server/db/chats/rows";
import { maskJson } from "@/server/tools/mask-json";
import { settle } from "@/server/tools/settle";
import { validateValues } from "@/server/tools/validation/validate-values";
import { refuseClaimed, refuseLost } from "./call-refusals";
import { checkAnswer, type ExpectedValue } from "./check-answer";

export type SubmittedResult = {
  toolCallId: string;
  output: JsonValue;
  isError: boolean;
  /** Which question of the call it answers; undefined for the one that is open. */
  question?: number | undefined;
  /** Of the claim of the program that has run the call. */
  claimToken?: string | undefined;
  /** Files that the call has made. */
  fileIds?: readonly string[] | undefined;
};

/** A result with the JSON pointer to it in the request. */
export type PlacedResult = SubmittedResult & { place: string };

/** A result with its output as it is stored: without secrets. */
export type MaskedResult = SubmittedResult & { masked: JsonValue };

/** Masks the secrets in results, each by itself, as a request may have megabytes of them. */
export const maskResults = async <Result extends SubmittedResult>(
  results: readonly Result[],
): Promise<(Result & MaskedResult)[]> => {
  const masked: (Result & MaskedResult)[] = [];
  for (const result of results) {
    masked.push({ ...result, masked: maskJson(result.output) });
    await new Promise(setImmediate);
  }
  return masked;
};

export type OutputError = FieldError & { toolCallId: string };

/** @throws {DomainError} `conflict` for an answer to a question that is not open any more. */
export const checkQuestions = (
  results: readonly SubmittedResult[],
  open: readonly ToolCallPartRow[],
): void => {
  for (const { toolCallId, question } of results) {
    if (question === undefined) continue;
    const call = open.find((each) => each.toolCallId === toolCallId);
    // Its server withdrew the question, it was answered, or the call has ended.
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

/**
 * A person may always answer. A program answers what it has claimed, or what nobody has.
 *
 * @throws {DomainError} `conflict` for the first result that is not of whoever holds its call.
 */
export const checkClaims = (
  actor: Actor,
  results: readonly SubmittedResult[],
  open: readonly OpenCallRow[],
): void => {
  if (answersAll(actor)) return;
  for (const { toolCallId, claimToken } of results) {
    const call = open.find((each) => each.toolCallId === toolCallId);
    const claim = findHeld(call?.claim ?? null);
    if (!call || claim?.token === claimToken) continue;
    if (claimToken === undefined && claim) throw refuseClaimed({ call }, claim);
    if (claimToken !== undefined) throw refuseLost({ call, claim });
  }
};

/** Whether the actor's answer counts whoever has claimed the call. */
export const answersAll = ({ credential }: Actor): boolean => credential.type === "session";

/** Throws for the first broken rule, with all ids that break it. */
export const checkIds = (
  results: readonly PlacedResult[],
  open: readonly ToolCallPartRow[],
): void => {
  const ids = results.map(({ toolCallId }) => toolCallId);
  const last = new Map(results.map((result) => [result.toolCallId, result]));
  const awaited = new Set(
    open.filter(({ state }) => state === "awaiting_result").map(({ toolCallId }) => toolCallId),
  );
  const pointer = (id: string) => `${last.get(id)?.place}/tool_call_id`;
  refuse([...new Set(ids.filter((id, at) => last.get(id) !== results[at]))], {
    what: "Duplicate tool call ids",
    message: "is given twice",
    pointer,
  });
  refuse(
    [...awaited].filter((id) => !last.has(id)),
    {
      what: "Missing results for open tool calls",
      message: "has no result for",
      pointer: () => "/results",
    },
  );
  refuse(
    [...last.keys()].filter((id) => !awaited.has(id)),
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

/** The outcome of a call, or the answer with which a call that asks continues. A person's answer goes to a server as it is. */
export const toCallOutcome = (
  { toolCallId, output, masked, isError, claimToken }: MaskedResult,
  { openCalls, by }: { openCalls: readonly OpenCallRow[]; by: string },
): CallOutcome => {
  const call = openCalls.find((each) => each.toolCallId === toolCallId);
  const asked = call?.elicitations ?? [];
  const last = asked.at(-1);
  if (!last) {
    const outcome = settle({ type: "answered", output: masked, isError, by });
    const isHolder = claimToken !== undefined && call?.claim?.token === claimToken;
    return { toolCallId, ...outcome, ...(isHolder && { resolvedClaim: claimToken }) };
  }
  const answered = { ...last, answer: ElicitationAnswer.parse(output), answered_by: by };
  const elicitations = [...asked.slice(0, -1), answered];
  return { toolCallId, state: "running", elicitations, resolvedBy: by };
};

/** What each result has to be. */
export const toExpected = (
  results: readonly SubmittedResult[],
  { chat, openCalls }: ChatWithCalls,
): ExpectedValue[] => {
  const calls = new Map(openCalls.map((call) => [call.toolCallId, call]));
  return results.map((result) => {
    const call = calls.get(result.toolCallId);
    const elicitation = call?.elicitations?.at(-1);
    if (elicitation) return checkAnswer(result, elicitation);
    const tool = call?.definition ?? chat.dynamicTools.find(({ name }) => name === call?.toolName);
    const schema = result.isError ? undefined : tool?.output_schema;
    return { schema, value: result.output, at: "/output", errors: [] };
  });
};

export const validateOutputs = async (
  ctx: ServerContext,
  results: readonly PlacedResult[],
  expected: readonly ExpectedValue[],
): Promise<OutputError[]> => {
  const found = await validateValues(expected, ctx.actor.userId);
  return results.flatMap(({ toolCallId, place }, position) => {
    const { at = "", errors = [] } = expected[position] ?? {};
    const inValue = (found[position] ?? []).map((error) => ({
      ...error,
      pointer: `${at}${error.pointer}`,
    }));
    return [...errors, ...inValue].map(({ pointer, message }) => ({
      toolCallId,
      message,
      pointer: `${place}${pointer}`,
    }));
  });
};

export const refuseOutputs = (errors: readonly OutputError[]): void => {
  if (errors.length === 0) return;
  const ids = [...new Set(errors.map(({ toolCallId }) => toolCallId))].toSorted();
  throw new DomainError(
    "invalid",
    `Outputs that do not match their tool's output_schema: ${ids.join(", ")}.`,
    { errors: errors.map(({ pointer, message }) => ({ pointer, message })) },
  );
};
