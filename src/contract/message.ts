import * as z from "zod";
import { UserContent } from "./content";
import { Mentions } from "./group";
import { JsonValue } from "./json";
import { ChatParameters } from "./parameters";
import { Part } from "./part";
import { FieldError } from "./problem";
import { ResponseFormat } from "./response-format";
import { MessageUsage } from "./usage";

/** `event` is of the server: reports of tasks, and summaries of what came before; the model reads them. */
export const Role = z.enum(["system", "user", "assistant", "event"]);
export type Role = z.infer<typeof Role>;

export const FinishReason = z.enum([
  "stop",
  "length",
  "content-filter",
  "tool-calls",
  "error",
  "other",
  "interrupted",
  "step-limit",
  /** The turn rests after the results of its tools, as the chat or a tool wants it; it can be continued. */
  "auto-submit-off",
  /** The last answer does not have the form that was asked for, after all repairs. */
  "invalid-format",
]);
export type FinishReason = z.infer<typeof FinishReason>;

/** The versions of a message, or of the answer to a message, that edits and regenerated answers have left. */
export const Alternatives = z
  .object({
    /** The place of this version among them; from 1. */
    index: z.int(),
    /** The first messages of all versions, the oldest first. */
    ids: z.array(z.uuid()),
  })
  .meta({ id: "Alternatives" });
export type Alternatives = z.infer<typeof Alternatives>;

/** One row of a chat's history. */
export const Message = z
  .object({
    id: z.uuid(),
    seq: z.int(),
    /** The chat version of the last change. The copy with the higher revision is newer. */
    revision: z.int(),
    role: Role,
    parts: z.array(Part),
    /** Of a message that sets them for its turn. */
    ...ChatParameters.shape,
    /** What the last answer of its turn must be. */
    response_format: ResponseFormat.optional(),
    /** The answer as JSON, where its turn has a format; null if it does not have it. */
    parsed: JsonValue.optional(),
    /** Why it does not have the format; pointers into the answer. */
    format_errors: z.array(FieldError).optional(),
    model: z.string().optional(),
    usage: MessageUsage.optional(),
    finish_reason: FinishReason.optional(),
    interrupted: z.boolean().optional(),
    /** Of the first message of a version, if there are several. */
    alternatives: Alternatives.optional(),
    /** The first messages of former answers, of a message that has none now: of no meaning as soon as one follows. */
    former_answers: z.array(z.uuid()).optional(),
    created_by: z.string().optional(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "Message" });
export type Message = z.infer<typeof Message>;

/** A user message that waits for the running turn to end. */
export const QueuedMessage = z
  .object({
    id: z.uuid(),
    /** 0 is sent first. */
    position: z.int(),
    content: UserContent,
    ...ChatParameters.shape,
    response_format: ResponseFormat.optional(),
    /** What it chooses for the chat when it leaves the queue; absent if that is nothing. */
    mentions: Mentions.optional(),
    created_by: z.string(),
    created_at: z.iso.datetime(),
    /** Whether it enters the turn that runs, before the next call of the model, and not the next turn. */
    steers: z.boolean(),
  })
  .meta({ id: "QueuedMessage" });
export type QueuedMessage = z.infer<typeof QueuedMessage>;

/** A message that has the text of a search, with some of it. */
export const FoundMessage = z
  .object({ id: z.uuid(), seq: z.int(), snippet: z.string() })
  .meta({ id: "FoundMessage" });
export type FoundMessage = z.infer<typeof FoundMessage>;
