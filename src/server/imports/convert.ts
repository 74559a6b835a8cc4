import * as z from "zod";
import { isRecord } from "@/lib/is-record";
import { convertChatgpt, isChatgpt } from "./convert-chatgpt";
import { convertClaude, isClaude } from "./convert-claude";
import { convertParley, isParley } from "./convert-parley";
import type { Conversation } from "./conversation";

type Form = {
  is: (value: unknown) => boolean;
  /** Gives undefined when there are no messages. */
  convert: (value: unknown) => Conversation | undefined;
};

const FORMS: readonly Form[] = [
  { is: isParley, convert: convertParley },
  { is: isChatgpt, convert: convertChatgpt },
  { is: isClaude, convert: convertClaude },
];

/** A conversation, or why it is none that can be read, as a row of the report. */
export type Converted = { title: string } & (Conversation | { reason: string });

/** Converts a conversation of any known program. Does not throw. */
export const convert = (value: unknown): Converted => {
  const title = findTitle(value);
  const form = FORMS.find(({ is }) => is(value));
  if (!form) return { title, reason: "It is no conversation of ChatGPT, Claude or Parley." };
  try {
    const conversation = form.convert(value);
    return conversation ? { title, ...conversation } : { title, reason: "It has no messages." };
  } catch (error) {
    return { title, reason: `It has another form than is known${describe(error)}.` };
  }
};

const MAX_TITLE = 200;

const findTitle = (value: unknown): string => {
  if (!isRecord(value)) return "A conversation";
  const found = [value.title, value.name, value.id, value.conversation_id, value.uuid].find(
    (text) => typeof text === "string" && text.trim() !== "",
  );
  return typeof found === "string" ? found.slice(0, MAX_TITLE).toWellFormed() : "A conversation";
};

/** Names the first place that is wrong. */
const describe = (error: unknown): string => {
  const [issue] = error instanceof z.ZodError ? error.issues : [];
  return issue ? `: "${issue.path.join("/")}": ${issue.message.slice(0, MAX_TITLE)}` : "";
};
