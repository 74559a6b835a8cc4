import { applyMigrations } from "../../src/server/db/connection/migrate.mjs";
import { fillLargeData } from "../../src/test/large-data.mjs";
import { openEmbeddedDatabase, startPostgres } from "../start/databases.mjs";

/** Messages that are there already, so that the index has the depth of one in use. */
const FILL = { chats: 2_000, messages: 50_000, longestChat: 100 };
const INSERTS = 1_000;
const WARM_UP = 100;
/** Texts of messages that are there, some 70 words each. */
const TEXTS = `SELECT text FROM part WHERE length(text) > 300 LIMIT ${INSERTS + WARM_UP}`;
const INSERT = `WITH m AS (
    INSERT INTO message (id, chat_id, turn_id, seq, revision, role)
    SELECT gen_random_uuid(), id, id, $2, 1, 'assistant' FROM chat WHERE id = $1 RETURNING id)
  INSERT INTO part (message_id, index, type, text) SELECT id, 0, 'text', $3 FROM m`;

const openEmbedded = async () => {
  const database = await openEmbeddedDatabase();
  await applyMigrations({
    exec: database.exec,
    query: async (sql, values) => (await database.query(sql, values)).rows,
    warn: () => undefined,
  });
  return database;
};

/** @returns milliseconds per message, each inserted by a transaction of its own. */
const measureInserts = async ({ query }, { chatId, texts, firstSeq }) => {
  let start = 0;
  for (const [index, { text }] of texts.entries()) {
    if (index === WARM_UP) start = performance.now();
    await query(INSERT, [chatId, firstSeq + index, text]);
  }
  return (performance.now() - start) / (texts.length - WARM_UP);
};

/** @returns milliseconds per inserted message, without and with the index of the search. */
const measureDatabase = async (database) => {
  const { query } = database;
  await query(`INSERT INTO "user" (id, name, email) VALUES ('bench', 'Bench', 'bench@localhost')`);
  const { longestChatId: chatId } = await fillLargeData(query, "bench", FILL);
  const { rows: texts } = await query(TEXTS);
  const indexed = await measureInserts(database, { chatId, texts, firstSeq: 10_000 });
  await query("DROP INDEX part_search_idx");
  const plain = await measureInserts(database, { chatId, texts, firstSeq: 20_000 });
  return { plain, indexed };
};

/** Measures what the index of the search costs an insert, in databases of its own. */
export const runInsertCost = async (open, { postgres, embedded }) => {
  const lines = [];
  const add = async (name, database) => {
    const { plain, indexed } = await measureDatabase(database);
    lines.push(
      `${name}: ${plain.toFixed(2)} ms without the index, ${indexed.toFixed(2)} ms with it`,
    );
  };
  if (postgres) await add("PostgreSQL", await open(startPostgres()));
  if (embedded) await add("embedded, in memory", await open(openEmbedded()));
  return `An insert of a message with 70 words:\n${lines.join("\n")}`;
};
