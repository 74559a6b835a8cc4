import type { PushPayload } from "@/contract/push";
import { keepStart } from "@/lib/keep-start";
import { stripMarkdown } from "@/lib/strip-markdown";
import type { PushSubscriptionRow } from "@/server/db/push/push-subscription-reads";
import type { TurnEnd } from "@/server/db/push/turn-end-reads";
import { MAX_PAYLOAD_BYTES } from "./encrypt-payload";

type TurnKind = Exclude<PushPayload["kind"], "test">;

/** What devices show of a notification at most; the rest of the payload's bytes is a margin for escapes in JSON. */
const MAX_TITLE_BYTES = 300;
const MAX_TEXT_BYTES = 500;
/** Of an answer, that much is searched for its first words. */
const SEARCHED_BYTES = 4 * MAX_TEXT_BYTES;

/** @returns what a person is notified of after the end of a turn; undefined for nothing. */
export const classifyTurnEnd = (
  { isArchived, isAgent, status, turnId, last }: TurnEnd,
  needsYou: boolean,
): TurnKind | undefined => {
  if (isArchived || last?.turnId !== turnId) return undefined;
  if (needsYou) return "needs_you";
  // The answers of an agent are for the chat that has started it.
  if (isAgent) return undefined;
  if (status === "error") return "failed";
  // A person who has stopped an answer knows that it has ended.
  const isDone = status === "waiting" && last.role === "assistant" && !last.interrupted;
  return isDone ? "done" : undefined;
};

/** Whether a browser is to be notified of it. */
export const isWanted = (
  { needsYou, done }: Pick<PushSubscriptionRow, "needsYou" | "done">,
  kind: TurnKind,
  { isOfProgram }: TurnEnd,
): boolean => {
  const scope = kind === "needs_you" ? needsYou : done;
  return scope === "all" || (scope === "own" && !isOfProgram);
};

/** Writes the notification of a turn's end. */
export const writePayload = (
  kind: TurnKind,
  { rootChatId, title, last }: TurnEnd,
  { withText }: { withText: boolean },
): string => {
  const tools = last?.waitingTools ?? [];
  const excerpt = withText ? (cutExcerpt(last?.texts.join("\n") ?? "") ?? tools.join(", ")) : "";
  const payload = toPayload({
    kind,
    chat_id: rootChatId,
    title: keepStart(title, MAX_TITLE_BYTES),
    text: excerpt === "" ? undefined : excerpt,
  });
  if (Buffer.byteLength(payload) <= MAX_PAYLOAD_BYTES) return payload;
  throw new Error("a notification is longer than its limits allow");
};

export const toPayload = (payload: PushPayload): string => JSON.stringify(payload);

const cutExcerpt = (text: string): string | undefined => {
  const plain = stripMarkdown(keepStart(text, SEARCHED_BYTES)).replaceAll(/\s+/g, " ").trim();
  return plain === "" ? undefined : keepStart(plain, MAX_TEXT_BYTES);
};
