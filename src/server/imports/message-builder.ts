import type { ExportedAnswerPart, ExportedMessage } from "@/contract/exported-chat";
import { type JsonObject, type JsonValue, validateJson } from "@/contract/json";
import { MAX_OUTPUT_DEPTH } from "@/contract/limits";
import { isRecord } from "@/lib/is-record";

type Answer = Extract<ExportedMessage, { role: "assistant" }> & { content: ExportedAnswerPart[] };
type Call = Extract<ExportedAnswerPart, { type: "tool_call" }>;
type UserPart = Exclude<Extract<ExportedMessage, { role: "user" }>["content"], string>[number];

/** What is known of the answer that a part is of. */
export type AnswerFields = Pick<Answer, "created_at" | "model" | "finish_reason" | "interrupted">;

export type NewCall = { id: string; name: string; args: unknown };

/** Calls that may wait for their outcomes at the same time; no provider makes as many. */
const MAX_OPEN_CALLS = 128;

const NO_OUTCOME = "The export has no outcome of this call.";
const NO_QUESTION = "[The conversation began with an answer.]";

/**
 * Puts the messages of another program in the order of a chat: what an assistant says in a row is one answer, which calls
 * with their outcomes end, and an answer follows a message of the user.
 */
export const createMessageBuilder = () => {
  const messages: ExportedMessage[] = [];
  const answers = createAnswers(messages);
  return {
    /** Instructions, which are before all else. */
    addInstructions: (text: string, created_at: string | undefined): void => {
      if (text.trim() === "" || hasBegun(messages)) return;
      messages.push({ role: "system", content: text, ...pickTime({ created_at }) });
    },
    addQuestion: (parts: readonly UserPart[], created_at: string | undefined): void => {
      if (parts.length === 0) return;
      answers.end();
      const [first] = parts;
      const content = parts.length === 1 && first?.type === "text" ? first.text : [...parts];
      messages.push({ role: "user", content, ...pickTime({ created_at }) });
    },
    addPart: (part: Exclude<ExportedAnswerPart, Call>, fields: AnswerFields): void => {
      if ("text" in part && part.text.trim() === "") return;
      answers.add(part, fields);
    },
    addCall: (call: NewCall, fields: AnswerFields): void => answers.add(toCall(call), fields),
    /** The outcome of the call with an id, or of the last open one; otherwise a new call without arguments. */
    addOutcome: ({ id, name, output, isError }: NewOutcome, fields: AnswerFields): void => {
      let call = answers.findOpen(id, toToolName(name));
      if (!call) {
        call = toCall({ id, name, args: {} });
        answers.add(call, fields);
      }
      call.state = isError ? "error" : "completed";
      call.output = toJson(output);
      answers.close(call);
    },
    build: (): ExportedMessage[] =>
      messages.filter((message) => message.role !== "assistant" || message.content.length > 0),
  };
};

/** Instructions are before all other messages. */
const hasBegun = (messages: readonly ExportedMessage[]): boolean =>
  (messages.at(-1)?.role ?? "system") !== "system";

type NewOutcome = Omit<NewCall, "args"> & { output: unknown; isError: boolean };

/** The answer that is being written. */
const createAnswers = (messages: ExportedMessage[]) => {
  let answer: Answer | undefined;
  /** Its calls without an outcome, the newest ones. */
  let open: Call[] = [];
  let hasOutcome = false;
  const begin = (fields: AnswerFields): Answer => {
    if (!hasBegun(messages)) {
      messages.push({ role: "user", content: NO_QUESTION, ...pickTime(fields) });
    }
    const begun: Answer = { role: "assistant", content: [], ...fields };
    messages.push(begun);
    [open, hasOutcome] = [[], false];
    return begun;
  };
  return {
    add: (part: ExportedAnswerPart, fields: AnswerFields): void => {
      if (answer && !hasOutcome) Object.assign(answer, { ...fields, ...pickFirst(answer) });
      else answer = begin(fields);
      answer.content.push(part);
      if (part.type === "tool_call") open = [...open.slice(1 - MAX_OPEN_CALLS), part];
    },
    findOpen: (id: string, toolName: string): Call | undefined =>
      open.find(({ tool_call_id }) => tool_call_id === id) ??
      open.find(({ tool_name }) => tool_name === toolName) ??
      open.at(-1),
    close: (call: Call): void => {
      open = open.filter((other) => other !== call);
      hasOutcome = true;
    },
    end: (): void => {
      answer = undefined;
      open = [];
    },
  };
};

const toCall = ({ id, name, args }: NewCall): Call => ({
  type: "tool_call",
  tool_call_id: id.slice(0, MAX_ID) || "call",
  tool_name: toToolName(name),
  args: toArgs(args),
  state: "cancelled",
  output: NO_OUTCOME,
});

export type MessageBuilder = ReturnType<typeof createMessageBuilder>;

const MAX_ID = 256;

/** An answer has the time and the model of what it begins with. */
const pickFirst = ({ created_at, model }: Answer) => ({
  ...pickTime({ created_at }),
  ...(model !== undefined && { model }),
});

const pickTime = ({ created_at }: { created_at?: string | undefined }) =>
  created_at === undefined ? {} : { created_at };

/** The providers' own rule for names of tools. */
const toToolName = (name: string): string => name.replaceAll(/[^\w-]/g, "_").slice(0, 64) || "tool";

const toArgs = (args: unknown): JsonObject =>
  isRecord(args) && validateJson(args, MAX_OUTPUT_DEPTH) === undefined
    ? (args as JsonObject)
    : { input: toJson(args) };

const toJson = (value: unknown): JsonValue => {
  if (typeof value === "string") return value.toWellFormed();
  if (value === undefined) return null;
  return validateJson(value, MAX_OUTPUT_DEPTH) === undefined
    ? (value as JsonValue)
    : "[What this call has returned cannot be stored]";
};
