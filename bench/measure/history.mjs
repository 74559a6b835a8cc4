import { randomUUID } from "node:crypto";

/** Lengths of a history's messages, in characters. */
const QUESTION_LENGTH = 120;
const ANSWER_LENGTH = 400;

/**
 * Creates statements that add messages to an idle chat, as the server would write them.
 *
 * @param {{ id: string, version: number }} chat
 * @param {number} length of the history after them, in messages
 */
export const createSeedStatements = ({ id }, length) => [
  {
    sql: `WITH m AS (
        INSERT INTO message (id, chat_id, seq, role, turn_id, revision, model, finish_reason, created_by)
        SELECT gen_random_uuid(), chat.id, n,
          CASE WHEN n % 2 = 1 THEN 'user' ELSE 'assistant' END::message_role, chat.turn_id, chat.version + 1,
          CASE WHEN n % 2 = 0 THEN 'openai-compatible/fake-model' END,
          CASE WHEN n % 2 = 0 THEN 'stop' END, CASE WHEN n % 2 = 1 THEN chat.owner_id END
        FROM chat, generate_series(chat.last_seq + 1, $2::int) AS n WHERE chat.id = $1::uuid
        RETURNING id, seq)
      INSERT INTO part (message_id, index, type, text)
      SELECT id, 0, 'text', CASE WHEN seq % 2 = 1
        THEN rpad('question ' || seq || ' ', ${QUESTION_LENGTH}, 'lorem ipsum ')
        ELSE rpad('answer ' || seq || ' ', ${ANSWER_LENGTH}, 'dolor sit amet ') END FROM m`,
    values: [id, length],
  },
  {
    sql: `UPDATE chat SET last_seq = greatest(last_seq, $2::int), version = version + 1,
      history_version = version + 1 WHERE id = $1::uuid`,
    values: [id, length],
  },
  // Autovacuum would do the same some time after so many inserts.
  { sql: "ANALYZE message", values: [] },
  { sql: "ANALYZE part", values: [] },
];

/** Creates the same history for a client of the baseline. */
export const createSeedMessages = (length) =>
  Array.from({ length }, (_, index) => {
    const isQuestion = index % 2 === 0;
    const text = isQuestion
      ? `question ${index + 1} `.padEnd(QUESTION_LENGTH, "lorem ipsum ")
      : `answer ${index + 1} `.padEnd(ANSWER_LENGTH, "dolor sit amet ");
    const step = isQuestion ? [] : [{ type: "step-start" }];
    return {
      id: randomUUID(),
      role: isQuestion ? "user" : "assistant",
      parts: [...step, { type: "text", text, ...(!isQuestion && { state: "done" }) }],
    };
  });
