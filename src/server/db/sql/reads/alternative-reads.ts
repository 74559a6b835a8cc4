import type { MessageAlternatives, MessageRow } from "@/server/db/chats/rows";

/**
 * SQL of the message that follows a split now, as people see it: neither an event nor a message that entered the turn of the
 * one before while it ran.
 */
export const firstAfterSplit = (
  chatId: string,
  splitSeq: string,
  turnId: string,
): string => `SELECT id, seq FROM message
  WHERE chat_id = ${chatId} AND NOT deleted AND seq > ${splitSeq} AND visibility <> 'model'
    AND (role = 'assistant' OR (role = 'user' AND turn_id IS DISTINCT FROM ${turnId}))
  ORDER BY seq LIMIT 1`;

/**
 * SQL of the splits of the path of the row `chat`, with the versions of what follows. Nearly every chat has none, and reads
 * nothing.
 */
export const ALTERNATIVES = `CASE WHEN alternative_count > 0 THEN (
  SELECT json_agg(json_build_object('message_id', coalesce(shown.id, before.id), 'is_unanswered', shown.id IS NULL, 'ids', (
    SELECT json_agg(version.id ORDER BY version.seq) FROM (
      SELECT id, seq FROM message WHERE chat_id = chat.id AND split_seq = split.seq
      UNION ALL SELECT shown.id, shown.seq WHERE shown.id IS NOT NULL) AS version)))
  FROM (SELECT DISTINCT split_seq AS seq FROM message WHERE chat_id = chat.id AND split_seq IS NOT NULL) AS split
  LEFT JOIN message AS before ON before.chat_id = chat.id AND NOT before.deleted AND before.seq = split.seq
  LEFT JOIN LATERAL (${firstAfterSplit("chat.id", "split.seq", "before.turn_id")}) AS shown ON true
  WHERE split.seq = 0 OR before.id IS NOT NULL) END AS alternatives`;

/** A record of `ALTERNATIVES`. */
export type AlternativesRecord = {
  alternatives: { message_id: string; is_unanswered: boolean; ids: string[] }[] | null;
};

/** Adds their alternatives to those messages that have some. */
export const withAlternatives = (
  messages: readonly MessageRow[],
  { alternatives }: AlternativesRecord,
): MessageRow[] => {
  if (!alternatives) return [...messages];
  const byId = new Map<string, MessageAlternatives[]>();
  for (const { message_id: id, is_unanswered: isUnanswered, ids } of alternatives) {
    byId.set(id, [...(byId.get(id) ?? []), { ids, isUnanswered }]);
  }
  return messages.map((message) => {
    const found = byId.get(message.id);
    return found && !message.deleted ? { ...message, alternatives: found } : message;
  });
};
