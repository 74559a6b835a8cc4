import type pg from "pg";

/** Copies chats with all that hangs on them, so that a database is as large as after years. */
export const createChatCopier = async (pool: pg.Pool) => {
  const { rows } = await pool.query<{ table: string; names: string[] }>(
    `SELECT table_name AS table, array_agg(column_name::text) AS names FROM information_schema.columns
     WHERE table_schema = current_schema() AND is_generated = 'NEVER' GROUP BY table_name`,
  );
  const columns = new Map(rows.map(({ table, names }) => [table, names]));
  const copy = async (table: string, given: Record<string, string>, source: string) => {
    const names = columns.get(table) ?? [];
    const values = names.map((name) => given[name] ?? `o."${name}"`);
    await pool.query(
      `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(", ")})
       SELECT ${values.join(", ")} FROM "${table}" AS o ${source}`,
    );
  };
  await pool.query(`CREATE TEMP TABLE copied_chat (n int, old uuid, new uuid);
    CREATE TEMP TABLE copied_message (n int, old uuid, new uuid)`);
  const copied = (column: string): string =>
    `(SELECT new FROM copied_chat AS m WHERE m.n = c.n AND m.old = o.${column})`;
  return {
    /** @param changes SQL of columns of the copies of `chat`, whose number is `c.n`. */
    copy: async (rootChatId: string, count: number, changes: Record<string, string> = {}) => {
      await pool.query("TRUNCATE copied_chat, copied_message");
      await pool.query(
        `INSERT INTO copied_chat SELECT n, id, gen_random_uuid() FROM chat, generate_series(1, $2::int) AS n
         WHERE root_chat_id = $1`,
        [rootChatId, count],
      );
      await pool.query(
        `INSERT INTO copied_message SELECT c.n, o.id, gen_random_uuid()
         FROM message AS o JOIN copied_chat AS c ON c.old = o.chat_id`,
      );
      await pool.query("CREATE INDEX IF NOT EXISTS copied_chat_idx ON copied_chat (n, old)");
      await pool.query("ANALYZE copied_chat, copied_message");
      const ofChat = "JOIN copied_chat AS c ON c.old = o.chat_id";
      const ofMessage = "JOIN copied_message AS c ON c.old = o.message_id";
      await copy(
        "chat",
        {
          id: "c.new",
          root_chat_id: copied("root_chat_id"),
          parent_chat_id: copied("parent_chat_id"),
          updated_at: "o.updated_at - c.n * interval '1 minute'",
          action_deadline_at: "o.action_deadline_at + c.n * interval '1 minute'",
          ...changes,
        },
        "JOIN copied_chat AS c ON c.old = o.id ORDER BY o.parent_chat_id IS NOT NULL",
      );
      await copy(
        "message",
        { id: "c.new", chat_id: copied("chat_id") },
        "JOIN copied_message AS c ON c.old = o.id",
      );
      await copy("part", { message_id: "c.new" }, ofMessage);
      await copy(
        "task",
        {
          id: "gen_random_uuid()",
          chat_id: "c.new",
          agent_chat_id: copied("agent_chat_id"),
        },
        ofChat,
      );
      await copy("usage_record", { id: "gen_random_uuid()", chat_id: "c.new" }, ofChat);
    },
  };
};
