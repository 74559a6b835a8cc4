import { randomUUID } from "node:crypto";

/** Characters of the messages that a history is made of. */
const QUESTION_LENGTH = 120;
const ANSWER_LENGTH = 400;

/**
 * Statements that lengthen a chat that rests, in the tables where the server would have put it.
 *
 * @param {{ id: string, version: number }} chat
 * @param {number} length messages that it has then
 */
export const seedStatements = ({ id }, length) => [
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
  // What the server's own upkeep does some time after so many rows were added.
  { sql: "ANALYZE message", values: [] },
  { sql: "ANALYZE part", values: [] },
];

/** The same history as a client of the baseline would hold it. */
export const seedMessages = (length) =>
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
