import type { TestDatabase } from "../../e2e/test-database";
import { withDatabase } from "../../e2e/query-database";
import { CREATION_LABEL } from "../actions";
import { AGENT_RULES } from "./agent-rules";
import type { Finding, Ledger } from "../ledger";

export type Rule = { kind: Finding["kind"]; text: string; sql: string };

/** Each statement lists what breaks a rule, when nothing runs any more. */
const RULES: Rule[] = [
  {
    kind: "stuck",
    text: "a chat has a lease or needs a worker, although all rest",
    sql: `SELECT id, status, lease_owner FROM chat WHERE lease_token IS NOT NULL
      OR status IN ('pending', 'running', 'interrupting')`,
  },
  {
    kind: "stuck",
    text: "a call is open behind a later message, or in a chat that requires no action",
    sql: `SELECT m.chat_id, p.tool_call_id FROM part p JOIN message m ON m.id = p.message_id
      JOIN chat c ON c.id = m.chat_id
      WHERE p.state IN ('running', 'awaiting_result', 'awaiting_approval', 'awaiting_agents') AND NOT m.deleted
      AND (c.status <> 'requires_action' OR EXISTS (SELECT FROM message later
        WHERE later.chat_id = m.chat_id AND later.seq > m.seq AND NOT later.deleted))`,
  },
  {
    kind: "stuck",
    text: "a call is claimed that waits for no program",
    sql: `SELECT cc.chat_id, cc.tool_call_id, cc.holder FROM call_claim cc
      LEFT JOIN part p ON p.message_id = cc.message_id AND p.tool_call_id = cc.tool_call_id AND p.state = 'awaiting_result'
      LEFT JOIN message m ON m.id = p.message_id AND NOT m.deleted WHERE m.id IS NULL`,
  },
  {
    kind: "lost",
    text: "a chat counts other queued messages than it has",
    sql: `SELECT id FROM chat c WHERE queued_count <>
      (SELECT count(*) FROM queued_message q WHERE q.chat_id = c.id)`,
  },
  {
    kind: "doubled",
    text: "one key has created several chats",
    sql: `SELECT labels->>'${CREATION_LABEL}' AS key, count(*)::int AS chats FROM chat
      WHERE parent_chat_id IS NULL GROUP BY 1 HAVING count(*) > 1`,
  },
  {
    kind: "doubled",
    text: "a step has counted its tokens several times",
    sql: `SELECT message_id FROM usage_record WHERE message_id IS NOT NULL
      GROUP BY message_id, kind HAVING count(*) > 1`,
  },
];

const LIST_CREATED = `SELECT id, labels->>'${CREATION_LABEL}' AS key FROM chat`;

/** Checks the rules that no client can see. The server of an embedded database must not be running. */
export const checkDatabase = (database: TestDatabase, ledger: Ledger): Promise<void> =>
  withDatabase(database, async (pool) => {
    for (const { kind, text, sql } of [...RULES, ...AGENT_RULES]) {
      const { rows } = await pool.query<Record<string, unknown>>(sql);
      for (const row of rows) ledger.report(kind, `${text}: ${JSON.stringify(row)}`);
    }
    const { rows } = await pool.query<{ id: string; key: string }>(LIST_CREATED);
    const created = new Map(rows.map(({ id, key }) => [key, id]));
    for (const [key, { outcome }] of ledger.creations) {
      if (outcome === "acknowledged" && !created.has(key)) {
        ledger.report("lost", `the chat of the key ${key} was acknowledged and is gone`);
      }
      if (outcome === "refused" && created.has(key)) {
        ledger.report("lost", `the chat of the key ${key} was refused but is there`);
      }
    }
  });
