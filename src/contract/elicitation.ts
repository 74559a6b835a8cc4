import * as z from "zod";
import { isJsonObject } from "./is-json-object";
import { JsonValue, type JsonObject } from "./json";

/** What a person gives to a server that asks: answers, a refusal, or neither. */
const ACTIONS = ["accept", "decline", "cancel"];

/** The kinds of values that a form of a server has. */
const FieldValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())], {
  error: "must be a text, a number, true, false or a list of texts",
});

/** The answer to an elicitation, as the output of a tool result; `content` comes with `accept` only. */
export const ElicitationAnswer = z
  .discriminatedUnion(
    "action",
    [
      z.strictObject({
        action: z.literal("accept"),
        content: z.record(z.string(), FieldValue),
      }),
      z.strictObject({ action: z.literal("decline") }),
      z.strictObject({ action: z.literal("cancel") }),
    ],
    { error: 'must be an object whose action is "accept", "decline" or "cancel"' },
  )
  .meta({ id: "ElicitationAnswer" });
export type ElicitationAnswer = z.infer<typeof ElicitationAnswer>;

/** What an MCP server asks a person for in the middle of a call. */
export const Elicitation = z
  .object({
    message: z.string(),
    /** A flat object schema. */
    requested_schema: JsonValue,
  })
  .meta({ id: "Elicitation" });
export type Elicitation = z.infer<typeof Elicitation>;

/** The open question of a call. */
export const PendingElicitation = Elicitation.extend({
  /** Counts the questions of the call, from 1. */
  number: z.int(),
}).meta({ id: "PendingElicitation" });

/** An elicitation of a call; without an answer it is open, or was closed before one came. */
export const AnsweredElicitation = Elicitation.extend({
  answer: ElicitationAnswer.optional(),
  /** A user's id, or `api_key:<id>`. */
  answered_by: z.string().optional(),
}).meta({ id: "AnsweredElicitation" });
export type AnsweredElicitation = z.infer<typeof AnsweredElicitation>;

/** @returns the JSON schema of the output with which an elicitation is answered. */
export const toAnswerSchema = ({ requested_schema: content }: Elicitation): JsonObject => ({
  type: "object",
  properties: { action: { enum: ACTIONS }, content: asSchema(content) },
  required: ["action"],
  if: { properties: { action: { const: "accept" } } },
  then: { required: ["content"] },
  else: { properties: { content: false } },
});

const asSchema = (schema: JsonValue): JsonValue => (isJsonObject(schema) ? schema : {});
