import { readFileSync } from "node:fs";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiKeyScopeSet, SCOPES_OF_SET } from "@/contract/api-key";
import { regenerate } from "@/server/chat/regenerate";
import { createContext } from "@/test/chat-fixture";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import {
  createServerDatabase,
  type MigrationSession,
  copyMigrationsUntil,
  openEmbeddedDatabase,
  toMigrationSession,
  testServerUrl,
  withClient,
} from "@/test/database";
import { listVariableUses } from "@/server/db/settings/mcp-server-reads";
import { readArtifact } from "@/server/db/chats/artifact-reads";
import type { Database } from "./database";
import { EXTENSIONS } from "./cluster";
import { applyMigrations } from "./migrate.mjs";
import { openDatabase } from "./open-database";

type Row = { id: string; title: string; chat_id: string; role: string; seq: number };
type Dump = Record<string, Row[]>;

/** Rows as the version with two migrations wrote them. */
const dump = JSON.parse(
  readFileSync(path.resolve("src/test/fixtures/database-0002.json"), "utf8"),
) as Dump;

const CREATED = dump.chat?.[0]?.id ?? "";
const DELETED = "01a20231-0000-7000-8000-000000000000";

/** Responses to requests with an idempotency key, and the chats that they are about. */
const RESPONSES = [
  { key: "created", route: "POST /chats", location: `/api/v1/chats/${CREATED}`, chatId: CREATED },
  { key: "sent", route: `POST /chats/${CREATED}/messages`, chatId: CREATED },
  { key: "refused", route: "POST /chats", chatId: null },
  { key: "created, deleted", route: "POST /chats", location: `/api/v1/chats/${DELETED}` },
  { key: "sent, deleted", route: `POST /chats/${DELETED}/messages` },
];

/** Contents of files by their ids: none, one whole slice, several with a rest. */
const FILES = [0, 262_144, 600_001].map((length, index) => ({
  id: `01a20231-0000-7000-8000-00000000000${index + 1}`,
  content: Buffer.from(Array.from({ length }, (_, at) => (at * 7919) % 251)),
}));

/** MCP servers with and without variables of the environment. */
const MCP_SERVERS = {
  1: {
    transport: { type: "http", url: "https://a.test", headers: { "X-Key": "Bearer ${MCP_A}" } },
  },
  2: { transport: { type: "http", url: "https://b.test", headers: { "X-Key": "MCP_A" } } },
  3: { transport: { type: "stdio", command: "npx", env: { TOKEN: "${MCP_B}" } } },
};

let db: Database;
const warnings: string[] = [];
const rowsAfter: Dump = {};
/** Of keys with each scope of the version that had an order of them. */
let keysAfter: unknown[] = [];

const upgrade = async (session: MigrationSession): Promise<void> => {
  await applyMigrations(session, copyMigrationsUntil("0002_fewer_index_entries"));
  for (const [table, rows] of Object.entries(dump)) {
    await session.query(
      `INSERT INTO "${table}" SELECT * FROM json_populate_recordset(NULL::"${table}", $1::json)`,
      [JSON.stringify(rows)],
    );
  }
  for (const { key, route, location } of RESPONSES) {
    await session.query(
      `INSERT INTO idempotency_key (owner_id, route, key, body_hash, status, headers, body)
      VALUES ($1, $2, $3, '', 200, jsonb_strip_nulls(jsonb_build_object('location', $4::text)), '{}')`,
      [dump.user?.[0]?.id, route, key, location ?? null],
    );
  }
  await session.query(
    `INSERT INTO idempotency_key (owner_id, route, key, body_hash) VALUES ($1, 'POST /chats', 'died', '')`,
    [dump.user?.[0]?.id],
  );
  for (const { id, content } of FILES) {
    await session.query(
      `INSERT INTO artifact (id, chat_id, owner_id, name, media_type, size, hash, content)
      VALUES ($1, $2, $3, 'a.bin', 'application/octet-stream', $4, 'hash', $5)`,
      [id, CREATED, dump.user?.[0]?.id, content.length, content],
    );
  }
  await applyMigrations(session, copyMigrationsUntil("0039_setting_order"));
  for (const [name, declaration] of Object.entries(MCP_SERVERS)) {
    await session.query(
      `INSERT INTO mcp_server (id, name, declaration, updated_at)
      VALUES ($1, $2, $3, '2026-11-27T12:00:00.125+02')`,
      [
        `01a20231-0000-7000-8000-00000000001${name}`,
        name,
        JSON.stringify({ name, ...declaration }),
      ],
    );
  }
  await applyMigrations(session, copyMigrationsUntil("0053_call_deadlines"));
  for (const scope of ApiKeyScopeSet.options) {
    await session.query(
      `INSERT INTO api_key (id, user_id, name, prefix, hash, scope)
      VALUES (gen_random_uuid(), $1, $2, '', $2, $2::text::api_key_scope)`,
      [dump.user?.[0]?.id, scope],
    );
  }
  await applyMigrations(session);
  keysAfter = await session.query(
    "DELETE FROM api_key WHERE name = ANY ($1) RETURNING name, scopes, restriction",
    [ApiKeyScopeSet.options],
  );
  for (const table of Object.keys(dump)) {
    const [row] = await session.query(`SELECT json_agg(t) AS rows FROM "${table}" AS t`);
    rowsAfter[table] = row?.rows as Row[];
  }
};

beforeAll(async () => {
  const warn = (sentence: string) => void warnings.push(sentence);
  if (testServerUrl) {
    const databaseUrl = await createServerDatabase(testServerUrl, "_upgrade");
    await withClient(databaseUrl, async (client) => {
      await upgrade({ ...toMigrationSession(client), warn });
    });
    db = openDatabase({ databaseUrl, dataDir: "", poolSize: 2 });
  } else {
    const lite = await PGlite.create({ extensions: EXTENSIONS });
    await upgrade({
      exec: (sql) => lite.exec(sql),
      query: async (sql, values) => (await lite.query<Record<string, unknown>>(sql, values)).rows,
      warn,
    });
    db = await openEmbeddedDatabase(lite);
  }
});
afterAll(() => db.close());

const chatNamed = (title: string): string =>
  dump.chat?.find((chat) => chat.title === title)?.id ?? "";
it.each(ApiKeyScopeSet.options)("leaves a key of the scope %s what it could do", (scope) => {
  expect(keysAfter).toContainEqual({
    name: scope,
    scopes: SCOPES_OF_SET[scope],
    restriction: null,
  });
});

it("records once where variables of the environment went", async () => {
  const uses = await listVariableUses(db);
  const first = "01a20231-0000-7000-8000-000000000011";
  expect(uses.map(({ id }) => id).toSorted()).toEqual([first, first.replace(/1$/, "3")]);
  expect(uses.find(({ id }) => id === first)).toMatchObject({
    transport: MCP_SERVERS[1].transport,
    updatedAt: new Date("2026-11-27T10:00:00.125Z"),
  });
});

describe("a database of the version before turns had ids", () => {
  it("keeps every row as it was", () => {
    for (const [table, rows] of Object.entries(dump)) {
      const after = rowsAfter[table] ?? [];
      expect(after).toHaveLength(rows.length);
      // Newer columns are not compared.
      expect(after).toEqual(
        expect.arrayContaining(rows.map((row) => expect.objectContaining(row) as unknown)),
      );
    }
  });

  it("gives each message the turn of the user message before it", async () => {
    const history = await readWholeHistory(db, chatNamed("Named"));
    const [question, , next] = history.map(({ id }) => id);
    expect(history.map(({ turnId }) => turnId)).toEqual([question, question, next, next]);
    expect(await readChat(db, chatNamed("Named"))).toMatchObject({ turnId: next });
    const edited = await readWholeHistory(db, chatNamed("Edited"));
    expect(edited).toHaveLength(1);
    expect(await readChat(db, chatNamed("Edited"))).toMatchObject({ turnId: edited[0]?.id });
  });

  it("counts what was used for the turn that used it", () => {
    const getTurn = new Map(
      rowsAfter.message?.map((row) => [row.id, (row as unknown as Record<string, string>).turn_id]),
    );
    for (const row of (rowsAfter.usage_record ?? []) as unknown as Record<string, string>[]) {
      expect(row.turn_id).toBeTruthy();
      if (row.message_id) expect(row.turn_id).toBe(getTurn.get(row.message_id));
    }
  });

  it("deletes keys without a response and responses about deleted chats, and the others with their chats", async () => {
    const stored = async () =>
      (await db.prisma.idempotencyKey.findMany()).map(({ key, route, chatId }) => ({
        key,
        route,
        chatId,
      }));
    const kept = RESPONSES.filter(({ chatId }) => chatId !== undefined).map(
      ({ key, route, chatId }) => ({ key, route, chatId }),
    );
    const rows = await stored();
    expect(rows).toHaveLength(kept.length);
    expect(rows).toEqual(expect.arrayContaining(kept));
    const isRolledBack = new Error("only a test");
    const deletion = db.transaction(async (tx) => {
      await tx.prisma.chat.delete({ where: { id: CREATED } });
      expect(await tx.prisma.idempotencyKey.count()).toBe(1);
      throw isRolledBack;
    });
    await expect(deletion).rejects.toBe(isRolledBack);
  });

  it("lets existing keys chat, forever, and knows which ones the operator had set", () => {
    const keys = rowsAfter.api_key as unknown as Record<string, unknown>[];
    expect(keys.map(({ scopes, expires_at }) => [scopes, expires_at])).toEqual(
      keys.map(() => [SCOPES_OF_SET.chat, null]),
    );
    const marked = keys.filter(({ from_environment }) => from_environment);
    expect(marked.map(({ name }) => name)).toEqual([
      "from the environment",
      "from the environment",
    ]);
    expect(keys).toHaveLength(3);
  });

  it.each(FILES)("keeps the content of file $id in slices", async ({ id, content }) => {
    const pieces: Uint8Array[] = [];
    const whole = { id, start: 0, end: content.length - 1 };
    for await (const piece of readArtifact(db, whole)) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(content)).toBe(true);
    const sizes = pieces.map(({ length }) => length);
    expect(sizes.slice(0, -1)).toEqual(sizes.slice(1).map(() => 256 * 1024));
    expect(await db.prisma.artifactSlice.count({ where: { artifactId: id } })).toBe(sizes.length);
  });

  it("leaves a chat in an invalid state as it is, and names it", () => {
    expect(warnings).toHaveLength(2);
    expect(warnings.join()).toContain(chatNamed("Invalid"));
    expect(warnings.join()).toContain(chatNamed("Invalid archive"));
  });

  it("goes on: the last answer of an upgraded chat is made again", async () => {
    const chatId = chatNamed("Named");
    const before = await readWholeHistory(db, chatId);
    const ctx = createContext(db, dump.user?.[0]?.id ?? "");
    await regenerate(ctx, { chatId });
    const after = await readWholeHistory(db, chatId);
    expect(after.map(({ id }) => id)).toEqual(before.slice(0, -1).map(({ id }) => id));
    expect(after.at(-1)?.turnId).toBe((await readChat(db, chatId)).turnId);
  });
});
