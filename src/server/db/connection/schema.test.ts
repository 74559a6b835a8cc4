import { spawnSync } from "node:child_process";
import path from "node:path";
import { v7 as newId } from "uuid";
import { beforeAll, describe, expect, it } from "vitest";
import { writeChat, writeMessage } from "@/test/chat-rows";
import { testDatabase } from "@/test/database";
import { createModel, createUser } from "@/test/factories";
import type { Database } from "./database";
import { toJsonText } from "./nul";

describe("the migrations", () => {
  it("lead to the schema that Prisma's client is made from", () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        path.resolve("node_modules/prisma/build/index.js"),
        "migrate",
        "diff",
        "--from-migrations",
        "prisma/migrations",
        "--to-schema",
        "prisma/schema.prisma",
        "--exit-code",
      ],
      {
        encoding: "utf8",
        env: {
          NODE_ENV: "test",
          PATH: path.dirname(process.execPath),
          DATABASE_URL: "postgresql://embedded/memory",
        },
      },
    );
    expect({ status, output: stdout + stderr }).toEqual({
      status: 0,
      output: expect.stringContaining("No difference detected") as string,
    });
  });
});

describe("the tables", () => {
  let db: Database;
  let userId: string;
  beforeAll(async () => {
    db = await testDatabase();
    userId = await createUser(db);
  });

  const run = (text: string, values: unknown[]) =>
    db.query({ name: `test-${text.length}-${text.slice(0, 40)}`, text }, values);

  it("add up what a chat has used, by kind", async () => {
    const add = (usage: object, kind: string) =>
      run("SELECT add_usage($1::jsonb, $2, $3, $4, $5) AS usage", [
        toJsonText(usage),
        kind,
        1,
        2,
        3,
      ]);
    const turn = { input_tokens: 1, output_tokens: 2, cost_micros: 3 };
    expect(await add({}, "turn")).toEqual([{ usage: { turn } }]);
    expect(await add({ turn, title: turn }, "turn")).toEqual([
      { usage: { turn: { input_tokens: 2, output_tokens: 4, cost_micros: 6 }, title: turn } },
    ]);
  });

  it("hold one default model at most", async () => {
    const makeDefault = "UPDATE model SET is_default = true WHERE id = $1::uuid";
    await run("UPDATE model SET is_default = false WHERE is_default", []);
    const first = await createModel(db);
    await run(makeDefault, [first]);
    await expect(run(makeDefault, [await createModel(db)])).rejects.toMatchObject({
      constraint: "model_one_default_key",
    });
    await run("UPDATE model SET is_default = false WHERE id = $1::uuid", [first]);
  });

  it.each([
    ["part_text_check", "(message_id, index, type) VALUES ($1::uuid, 9, 'text')"],
    [
      "part_reasoning_check",
      "(message_id, index, type, text) VALUES ($1::uuid, 9, 'reasoning', '')",
    ],
    ["part_source_check", "(message_id, index, type) VALUES ($1::uuid, 9, 'source')"],
    [
      "part_tool_call_check",
      "(message_id, index, type, tool_call_id) VALUES ($1::uuid, 9, 'tool_call', 'a')",
    ],
    [
      "part_open_call_check",
      `(message_id, index, type, tool_call_id, tool_name, kind, state, started_at, output)
        VALUES ($1::uuid, 9, 'tool_call', 'a', 'b', 'builtin', 'running', now(), '1')`,
    ],
  ])("refuse a part by %s", async (constraint, columns) => {
    const messageId = await writeMessage(db, await writeChat(db, userId), { seq: 1 });
    await expect(run(`INSERT INTO part ${columns}`, [messageId])).rejects.toMatchObject({
      code: "23514",
      constraint,
    });
  });

  it("refuse a child chat that is its own root", async () => {
    const chatId = await writeChat(db, userId);
    const parentId = await writeChat(db, userId);
    await expect(
      run("UPDATE chat SET parent_chat_id = $2::uuid WHERE id = $1::uuid", [chatId, parentId]),
    ).rejects.toMatchObject({ constraint: "chat_root_check" });
  });

  it("go with the user, down to the parts", async () => {
    const userId = await createUser(db);
    const messageId = await writeMessage(db, await writeChat(db, userId), { seq: 1 });
    await run(`DELETE FROM "user" WHERE id = $1`, [userId]);
    expect(await run("SELECT FROM part WHERE message_id = $1::uuid", [messageId])).toEqual([]);
  });

  it("go with their chat by a foreign key, but for events and previews, which `deleteFamily` deletes", async () => {
    const text = `SELECT format('%s.%s', relname, attname) AS name
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE attname LIKE '%chat_id' AND attname <> 'root_chat_id' AND relkind = 'r' AND relnamespace = current_schema()::regnamespace
        AND NOT EXISTS (SELECT FROM pg_constraint
          WHERE conrelid = attrelid AND conkey = ARRAY[attnum] AND confrelid = 'chat'::regclass AND confdeltype = 'c')
      ORDER BY name`;
    expect(await run(text, [])).toEqual([
      { name: "event.chat_id" },
      { name: "preview_chunk.chat_id" },
    ]);
  });

  it("take a preview without writing it to the log", async () => {
    await run(
      "INSERT INTO preview_chunk (chat_id, attempt, seq, ops) VALUES ($1::uuid, 1, 0, '[]')",
      [newId()],
    );
    expect(
      await run("SELECT relpersistence FROM pg_class WHERE relname = 'preview_chunk'", []),
    ).toEqual([{ relpersistence: "u" }]);
  });
});
