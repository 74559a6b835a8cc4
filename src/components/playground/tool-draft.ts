import * as z from "zod";
import { Draft, toToolResult } from "@/components/answers/draft";
import { DynamicTool } from "@/contract/dynamic-tool";
import type { JsonValue } from "@/contract/json";
import type { Problem } from "@/contract/problem";
import { toUsableSchema } from "@/contract/usable-schema";
import { toSentence } from "@/lib/humanize";
import { findCulprit } from "./find-culprit";
import { type JsonText, readJson } from "./read-json";
import { toSampleCall } from "./sample-call";

/** A tool as a person writes it; invalid text is kept. */
export const ToolDraft = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: z.string(),
  outputSchema: z.string(),
  /** The first message of the chat. */
  message: z.string(),
  /** What is entered in the form of the tool; a draft of another version of the page has none. */
  answer: Draft.nullable().catch(null),
});
export type ToolDraft = z.infer<typeof ToolDraft>;

export type ToolField = Exclude<keyof ToolDraft, "answer">;
export type ToolErrors = Partial<Record<ToolField, string>>;

/** What a program needs to use the tool. */
export type ToolTrial = {
  tool: DynamicTool;
  message: string;
  /** Undefined while the form of the tool is not filled in. */
  answer: JsonValue | undefined;
  /** The server's default model if there is none. */
  modelId?: string;
};

export type ToolDraftResult = { trial: ToolTrial } | { errors: ToolErrors };

/** Reads a draft. @returns a sentence for each field that the server would refuse or ignore. */
export const readToolDraft = (draft: ToolDraft): ToolDraftResult => {
  const errors: ToolErrors = {};
  const read = (field: ToolField, check: (text: JsonText) => string | undefined): JsonValue => {
    const text = readJson(draft[field]);
    if ("error" in text) {
      errors[field] = text.error;
      return null;
    }
    const error = check(text);
    if (error !== undefined) errors[field] = error;
    return text.value;
  };
  const input_schema = read("inputSchema", checkSchema);
  const output_schema = read("outputSchema", checkSchema);
  const description = draft.description.trim();
  if (!DynamicTool.shape.name.safeParse(draft.name).success) {
    errors.name = "Enter 1 to 64 letters, digits, “_” or “-”.";
  }
  const described = DynamicTool.shape.description.safeParse(description);
  if (!described.success) errors.description = describeIssue(described.error);
  if (draft.message.trim() === "") errors.message = "Enter what the chat begins with.";
  if (Object.keys(errors).length > 0) return { errors };
  const tool = { name: draft.name, description, input_schema, output_schema };
  return { trial: { tool, message: draft.message, answer: readAnswer(tool, draft.answer) } };
};

const readAnswer = (tool: DynamicTool, draft: Draft | null): JsonValue | undefined => {
  if (!draft || draft.isError) return undefined;
  const read = toToolResult(toSampleCall(tool), draft);
  return read.ok ? read.result.output : undefined;
};

const checkSchema = ({ value, findLine }: JsonText): string | undefined => {
  const refused = DynamicTool.shape.input_schema.safeParse(value);
  const isAccepted = (schema: JsonValue): boolean =>
    DynamicTool.shape.input_schema.safeParse(schema).success &&
    toUsableSchema(schema) !== undefined;
  if (isAccepted(value)) return undefined;
  const path = findCulprit(value, isAccepted);
  const line = `Line ${findLine(path ?? [])}`;
  const keyword = path?.at(-1);
  if (!refused.success) return `${line}: the schema ${describeIssue(refused.error)}`;
  if (keyword !== undefined) {
    return `${line}: “${keyword}” cannot be this in a JSON Schema, and the server would ignore the schema.`;
  }
  return `${line}: this is not a JSON Schema, and the server would ignore it. Enter an object such as {"type": "object"}.`;
};

const describeIssue = ({ issues }: z.ZodError): string => {
  const message = issues[0]?.message ?? "is not accepted";
  return /^(is|has|must) /.test(message) ? `${message}.` : toSentence(message);
};

const FIELD_OF_KEY: Readonly<Record<string, ToolField>> = {
  name: "name",
  description: "description",
  input_schema: "inputSchema",
  output_schema: "outputSchema",
};

/** Assigns what the server refused to the fields. @returns no entry for what belongs to none. */
export const toToolErrors = (problem: Problem | undefined): ToolErrors =>
  Object.fromEntries(
    (problem?.errors ?? []).flatMap(({ pointer, message }) => {
      const [, key = ""] = /^\/dynamic_tools\/0\/(\w+)/.exec(pointer) ?? [];
      const field = pointer.startsWith("/content") ? "message" : FIELD_OF_KEY[key];
      return field === undefined ? [] : [[field, toSentence(message)]];
    }),
  );
