import type { Rule } from "./check-database";

/** Calls that start an agent. */
const STARTS = `p.tool_name IN ('spawn_agent', 'delegate')`;
/** What outcomes of calls that have waited report of an agent that has ended, with the place of their message. */
const REPORTED_BY_CALLS = `SELECT m.chat_id, m.seq, m.deleted, p.tool_call_id, a->>'chat_id' AS agent_chat_id
  FROM part p JOIN message m ON m.id = p.message_id, json_array_elements(p.output->'agents') a
  WHERE p.tool_name IN ('wait_agent', 'delegate') AND p.state = 'completed' AND a->>'report' IS NOT NULL`;
/** Reports in histories, also in messages that were replaced later: then some are delivered once more. */
const REPORTED = `SELECT m.chat_id, m.seq, m.deleted, p.data->>'task_id' AS task_id, p.data->>'agent_chat_id' AS agent_chat_id
  FROM part p JOIN message m ON m.id = p.message_id WHERE p.type = 'report'`;

/** A task whose call was replaced is delivered when it ends, without a report, and so is one that had ended and waited. */
const IS_REPLACED = `(t.delivered_at = t.ended_at AND EXISTS (SELECT FROM part p JOIN message m ON m.id = p.message_id
  WHERE m.chat_id = t.chat_id AND m.deleted AND p.tool_call_id = t.tool_call_id))`;

/** A chat whose process died before it could wake it is found in this time; the check of a later round sees it. */
const WAKE_SECONDS = 45;

/** Each statement lists what breaks a rule of agents, when nothing runs any more. */
export const AGENT_RULES: Rule[] = [
  {
    kind: "stuck",
    text: "an agent has not ended, or its chat waits for agents, although all rest",
    sql: `SELECT t.id, t.state, c.status FROM task t JOIN chat c ON c.id = t.chat_id
      WHERE t.state IN ('queued', 'running') OR c.status = 'awaiting_agents'`,
  },
  {
    kind: "doubled",
    text: "a call has started several agents",
    sql: `SELECT chat_id, tool_call_id FROM task WHERE kind = 'agent'
      GROUP BY chat_id, tool_call_id HAVING count(*) > 1`,
  },
  {
    kind: "doubled",
    text: "an agent has not exactly one task",
    sql: `SELECT c.id, count(t.id)::int AS tasks FROM chat c LEFT JOIN task t ON t.agent_chat_id = c.id
      WHERE c.parent_chat_id IS NOT NULL GROUP BY c.id HAVING count(t.id) <> 1`,
  },
  {
    kind: "lost",
    text: "a call says that it has started an agent that is not there",
    sql: `SELECT p.tool_call_id FROM part p WHERE p.tool_name = 'spawn_agent' AND p.state = 'completed'
      AND NOT EXISTS (SELECT FROM chat c WHERE c.id::text = p.output->>'chat_id')`,
  },
  {
    kind: "lost",
    text: "a call that can be repeated was given up",
    sql: `SELECT p.tool_call_id FROM part p
      WHERE (${STARTS} OR p.tool_name = 'wait_agent') AND p.output::text LIKE '%server stopped while%'`,
  },
  {
    kind: "lost",
    text: "a report has been delivered and is nowhere, or is there and has not",
    sql: `SELECT t.id, t.delivered_at FROM task t WHERE t.kind = 'agent' AND NOT ${IS_REPLACED} AND (t.delivered_at IS NOT NULL) <> (
      EXISTS (SELECT FROM (${REPORTED}) r WHERE r.task_id = t.id::text)
      OR EXISTS (SELECT FROM (${REPORTED_BY_CALLS}) w WHERE w.agent_chat_id = t.agent_chat_id::text))`,
  },
  {
    kind: "doubled",
    text: "a report has entered the history twice",
    sql: `SELECT task_id FROM (${REPORTED}) r WHERE NOT deleted GROUP BY task_id HAVING count(*) > 1`,
  },
  {
    kind: "doubled",
    text: "a report has entered the history after a call had reported it",
    sql: `SELECT r.task_id, w.tool_call_id FROM (${REPORTED}) r
      JOIN (${REPORTED_BY_CALLS}) w ON w.chat_id = r.chat_id AND w.agent_chat_id = r.agent_chat_id
      WHERE r.seq > w.seq AND NOT r.deleted AND NOT w.deleted`,
  },
  {
    kind: "lost",
    text: "a chat counts other reports than it has to deliver",
    sql: `SELECT c.id, c.report_count FROM chat c WHERE report_count <> (SELECT count(*) FROM task t
      WHERE t.chat_id = c.id AND t.ended_at IS NOT NULL AND t.should_report AND t.delivered_at IS NULL)`,
  },
  {
    kind: "stuck",
    text: "a chat rests although a report should wake it",
    sql: `SELECT id FROM chat WHERE status = 'waiting' AND report_count > 0 AND wakes_left > 0
      AND wake_on_reports AND NOT queue_paused AND archived_at IS NULL
      AND updated_at < now() - interval '${WAKE_SECONDS} seconds'`,
  },
  {
    kind: "lost",
    text: "a wait has timed out on agents that had ended",
    sql: `SELECT p.tool_call_id FROM part p WHERE p.state = 'completed' AND p.output->>'timed_out' = 'true'
      AND NOT EXISTS (SELECT FROM json_array_elements(p.output->'agents') a
        WHERE a->>'state' IN ('queued', 'running'))`,
  },
];
