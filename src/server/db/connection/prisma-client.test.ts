import { readFileSync } from "node:fs";
import { v7 as newId } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { DEFAULT_ADVISOR_CONFIG } from "@/contract/advisor";
import { createApiKey, findKeyActor, hashKey, listApiKeys } from "@/server/auth/api-keys";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import type { Database, PrismaModels } from "./database";
import { advisorSetting } from "@/server/db/settings/setting-reads";
import { writeStoredSetting } from "@/server/db/settings/setting-writes";
import { readClock } from "@/server/db/sql/machine/clock-reads";
import { ownedBy } from "@/server/db/chats/viewer";

/** What PostgreSQL cannot hold, what the encoding is made of, and what only looks like either. */
const HOSTILE = 'a\0b \uFDD0\uFDD1\uFDD2\uFDD0 \\u0000 "c" \uD800';
const HOSTILE_JSON = { [HOSTILE]: [HOSTILE, { [HOSTILE]: null }] };
/** A lone surrogate is replaced; all else comes back. */
const STORED = HOSTILE.toWellFormed();
const STORED_JSON = { [STORED]: [STORED, { [STORED]: null }] };

type Column = { field: string; name: string; isJson: boolean };
type Table = { model: string; name: string; columns: Column[]; times: string[] };

/** Their rows are bytes only. */
const WITHOUT_TEXT = ["artifactSlice", "importSlice"] as const;
type Model = Exclude<keyof PrismaModels, (typeof WITHOUT_TEXT)[number]>;

/** The tables with their columns of text and JSON, and of times that are filled in, from Prisma's own schema. */
const TABLES: Table[] = [
  ...readFileSync("prisma/schema.prisma", "utf8").matchAll(/^model (\w+) \{\n(.*?)^\}/gms),
]
  .map(([, model = "", body = ""]) => ({
    model: model.charAt(0).toLowerCase() + model.slice(1),
    name: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? model,
    columns: [...body.matchAll(/^ {2}(\w+) +(String|Json)\b\??(.*)$/gm)]
      .filter(([, , , attributes]) => !attributes?.includes("@db.Uuid"))
      .map(([, field = "", type, attributes = ""]) => ({
        field,
        name: /@map\("(\w+)"\)/.exec(attributes)?.[1] ?? field,
        isJson: type === "Json",
      })),
    times: [...body.matchAll(/^ {2}(\w+) +DateTime .*@(?:default|updatedAt)\b/gm)].map(
      ([, field = ""]) => field,
    ),
  }))
  .filter(({ model }) => !WITHOUT_TEXT.some((name) => name === model));

const HOUR_MS = 3_600_000;

type Parents = Record<
  "userId" | "sessionId" | "chatId" | "messageId" | "artifactId" | "importId" | "toolset",
  string
>;

const expiresAt = new Date();

/** The rest of a row of each model: what is neither text nor JSON, and what the row refers to. */
const REST: Record<Model, (parents: Parents) => object> = {
  user: () => ({}),
  session: ({ userId }) => ({ userId, expiresAt }),
  account: ({ userId }) => ({ userId }),
  startingText: ({ userId }) => ({ id: newId(), userId }),
  verification: () => ({ expiresAt }),
  apiKey: ({ userId }) => ({ id: newId(), userId }),
  idempotencyKey: ({ userId }) => ({ userId, status: 200 }),
  setting: () => ({}),
  toolset: ({ userId }) => ({ userId }),
  toolsetRunner: ({ toolset }) => ({ toolset }),
  worker: () => ({}),
  callClaim: ({ chatId, messageId }) => ({
    chatId,
    messageId,
    claimedAt: expiresAt,
    expiresAt,
    leaseSeconds: 1,
    attempt: 1,
    maxAttempts: 1,
  }),
  model: () => ({ id: newId() }),
  chat: ({ userId }) => {
    const id = newId();
    const counters = { version: 1, historyVersion: 1, actionTimeoutSeconds: 1, maxSteps: 1 };
    return {
      id,
      rootChatId: id,
      turnId: id,
      ...ownedBy({ userId }),
      status: "waiting",
      ...counters,
    };
  },
  message: ({ chatId }) => ({
    id: newId(),
    chatId,
    turnId: chatId,
    seq: 1,
    revision: 1,
    role: "assistant",
  }),
  part: ({ messageId }) => ({
    messageId,
    index: 0,
    type: "tool_call",
    kind: "dynamic",
    state: "completed",
    startedAt: new Date(),
  }),
  approvalRule: ({ userId }) => ({ id: newId(), ...ownedBy({ userId }) }),
  pushMark: ({ chatId }) => ({ chatId, revision: 1 }),
  pushSubscription: ({ userId, sessionId }) => ({
    id: newId(),
    userId,
    sessionId,
    needsYou: "all",
    done: "off",
    withText: false,
  }),
  event: ({ chatId, userId }) => ({
    ...ownedBy({ userId }),
    chatId,
    rootChatId: chatId,
    version: 1,
  }),
  eventReader: ({ userId }) => ownedBy({ userId }),
  readMark: ({ chatId, userId }) => ({ chatId, userId, version: 1 }),
  queuedMessage: ({ chatId }) => ({ id: newId(), chatId, position: 1 }),
  previewChunk: ({ chatId }) => ({ chatId, attempt: 1, seq: 0 }),
  artifact: ({ chatId, userId }) => ({
    id: newId(),
    chatId,
    ...ownedBy({ userId }),
    size: 0,
  }),
  import: ({ userId }) => ({ id: newId(), ...ownedBy({ userId }), state: "completed" }),
  importProblem: ({ importId }) => ({ importId, position: 0 }),
  importedChat: ({ chatId, userId }) => ({ chatId, ...ownedBy({ userId }) }),
  artifactShare: ({ chatId, artifactId }) => ({ chatId, artifactId }),
  rendition: ({ artifactId }) => ({ artifactId, kind: "image", bytes: Buffer.from("x") }),
  task: ({ chatId }) => ({
    id: newId(),
    rootChatId: chatId,
    chatId,
    kind: "tool",
    state: "completed",
    revision: 1,
    endedAt: new Date(),
  }),
  recipe: () => ({}),
  mcpServer: () => ({ id: newId() }),
  usageRecord: ({ chatId }) => ({
    id: newId(),
    chatId,
    turnId: chatId,
    kind: "turn",
    inputTokens: 1,
    outputTokens: 1,
    costMicros: 1,
  }),
};

type Row = Record<string, unknown>;
type Operations = {
  create: (args: { data: Row }) => Promise<Row>;
  findFirst: (args: { where: Row }) => Promise<Row | null>;
  deleteMany: (args: { where: Row }) => Promise<unknown>;
};

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

const written: { table: Table; row: Row }[] = [];
// Other tests read some of these tables whole.
afterAll(async () => {
  for (const { table, row } of written.reverse()) {
    await getOperations(db.prisma, table.model).deleteMany({ where: getWhere(table, row) });
  }
});

/** Finds a row by its texts; what has none is found by its chat. */
const getWhere = ({ columns }: Table, row: Row): Row => {
  const texts = columns.filter(({ isJson }) => !isJson).map(({ field }) => [field, row[field]]);
  return { ...(Object.fromEntries(texts) as Row), chatId: row.chatId };
};

afterEach(() => vi.useRealTimers());

const getOperations = (prisma: PrismaModels, model: string): Operations =>
  prisma[model as keyof PrismaModels] as unknown as Operations;

const getTable = (model: keyof PrismaModels): Table => {
  const table = TABLES.find((one) => one.model === model);
  if (!table) throw new Error(`the schema has no model ${model}`);
  return table;
};

/** Writes a row with a hostile text in each of its columns. */
const write = async (prisma: PrismaModels, table: Table, parents: Parents): Promise<Row> => {
  const texts = table.columns.map(({ field, isJson }) => [
    field,
    isJson ? HOSTILE_JSON : `${HOSTILE}${newId()}`,
  ]);
  const rest = REST[table.model as Model](parents);
  const data = { ...(Object.fromEntries(texts) as Row), ...rest };
  await getOperations(prisma, table.model).create({ data });
  written.push({ table, row: data });
  return data;
};

/** Rows that others refer to. */
const writeParents = async (prisma: PrismaModels): Promise<{ ids: Parents; message: Row }> => {
  const none = {
    userId: "",
    sessionId: "",
    chatId: "",
    messageId: "",
    artifactId: "",
    importId: "",
    toolset: "",
  };
  const { id: userId } = await write(prisma, getTable("user"), none);
  const owned = { ...none, userId: String(userId) };
  const { id: sessionId } = await write(prisma, getTable("session"), owned);
  const { id: chatId } = await write(prisma, getTable("chat"), owned);
  const within = { ...owned, sessionId: String(sessionId), chatId: String(chatId) };
  const message = await write(prisma, getTable("message"), within);
  const { id: artifactId } = await write(prisma, getTable("artifact"), within);
  const { id: importId } = await write(prisma, getTable("import"), within);
  const { name: toolset } = await write(prisma, getTable("toolset"), owned);
  const ids = {
    ...within,
    toolset: String(toolset),
    messageId: String(message.id),
    artifactId: String(artifactId),
    importId: String(importId),
  };
  return { ids, message };
};

const storedIn = ({ columns }: Table, row: Row, key: "field" | "name"): Row =>
  Object.fromEntries(
    columns.map((column) => [
      column[key],
      column.isJson ? STORED_JSON : String(row[column.field]).toWellFormed(),
    ]),
  );

it("is looked at in every table", () => {
  expect(TABLES.map(({ model }) => model).sort()).toEqual(Object.keys(REST).sort());
});

describe.each(TABLES.filter(({ times }) => times.length > 0))("the times of $name", (table) => {
  it("are by the clock of the database, not of the process", async () => {
    await db.transaction(async (tx) => {
      // As of now the embedded database, which reads the same clock, has the time of its transaction.
      const now = await readClock(tx);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR_MS });
      const parents = await writeParents(tx.prisma);
      const row =
        table.model === "message" ? parents.message : await write(tx.prisma, table, parents.ids);
      const where = getWhere(table, row);
      const found = await getOperations(tx.prisma, table.model).findFirst({ where });
      expect(table.times.map((field) => found?.[field])).toEqual(table.times.map(() => now));
    });
  });
});

it("dates what it updates by the database, too", async () => {
  const userId = await createUser(db);
  const created = await createApiKey(db, { id: newId(), userId, name: "bot" });
  await db.transaction(async (tx) => {
    const now = await readClock(tx);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR_MS });
    await writeStoredSetting(tx, advisorSetting, DEFAULT_ADVISOR_CONFIG);
    await findKeyActor(tx, { hash: hashKey(created?.key ?? "") });
    const setting = await tx.prisma.setting.findFirst({ where: { key: advisorSetting.key } });
    const [key] = await listApiKeys(tx, userId);
    expect([setting?.updatedAt, key?.lastUsedAt]).toEqual([now, now]);
    await tx.prisma.setting.deleteMany({ where: { key: advisorSetting.key } });
  });
});

describe.each(TABLES)("the texts and JSON of $name", (table) => {
  const inTransaction = (body: (prisma: PrismaModels) => Promise<Row>): Promise<Row> =>
    db.transaction((tx) => body(tx.prisma));
  const onDatabase = (body: (prisma: PrismaModels) => Promise<Row>): Promise<Row> =>
    body(db.prisma);

  it.each([
    ["the database", onDatabase],
    ["a transaction", inTransaction],
  ])("come back as Prisma wrote them on %s", async (_name, run) => {
    const row = await run(async (prisma) => {
      const parents = await writeParents(prisma);
      return table.model === "message" ? parents.message : write(prisma, table, parents.ids);
    });
    const found = await getOperations(db.prisma, table.model).findFirst({
      where: getWhere(table, row),
    });
    expect(found).toMatchObject(storedIn(table, row, "field"));
    const columns = table.columns.map(({ name }) => `"${name}"`).join(", ");
    const text = `SELECT ${columns} FROM "${table.name}"`;
    const rows = await db.query({ name: `test-texts-${table.name}`, text }, []);
    expect(rows).toContainEqual(storedIn(table, row, "name"));
  });
});

it("come back from a transaction of Prisma's own", async () => {
  const id = `${HOSTILE}${newId()}`;
  const apiKeys = { create: { id: newId(), name: HOSTILE, prefix: "", hash: newId() } };
  const created = await db.prisma.user.create({
    data: { id, name: HOSTILE, email: newId(), apiKeys },
    include: { apiKeys: true },
  });
  await db.prisma.user.delete({ where: { id } });
  expect([created.id, created.name, created.apiKeys[0]?.name]).toEqual([
    id.toWellFormed(),
    STORED,
    STORED,
  ]);
});
