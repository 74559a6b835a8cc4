import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "@playwright/test";
import { type Api, createApi } from "./api";
import { createSession } from "./security/session";
import { createTestServer, type TestServer } from "./server";
import { createTestDatabase, TEST_DATABASE_URL } from "./test-database";

const CHATS = 8;
/** Turns that run while a backup is written. */
const SLOW = "slow 100ms write 60 words";
const TOOL = { name: "check_order", description: "Checks an order.", input_schema: {} };

/** Runs `npm run backup` or `npm run restore` in the environment of a server. */
export const runScript = (
  script: "backup" | "restore",
  args: string[],
  { env }: Pick<TestServer, "env">,
) => promisify(execFile)("npm", ["run", "--silent", script, "--", ...args], { env });

/** Starts one of the programs, which `npm run` has bundled before, to kill it. */
export const startProgram = (
  script: "backup" | "restore",
  args: string[],
  { env }: Pick<TestServer, "env">,
) => {
  const program = `.next/programs/${script}-process.mjs`;
  const child = spawn(process.execPath, [program, ...args], { env, stdio: "ignore" });
  return { child, ended: once(child, "exit") as Promise<[number | null, string | null]> };
};

/** Calls a body with a directory for backups. */
export const withBackups = async (body: (directory: string) => Promise<void>): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), "parley-backups-"));
  try {
    await body(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
};

/** What was acknowledged before a backup. */
export type Load = { running: string[]; parked: string };

/** Begins turns, after a chat that waits for its program, and one that has written a file. */
export const startLoad = async (api: Api): Promise<Load> => {
  const file = await api.createChat({
    content: 'use write_file with {"path":"notes.txt","content":"kept"}',
  });
  await api.waitForStatus(file.id);
  const parked = await api.createChat({
    content: 'use check_order with {"order":"A-17"}',
    dynamic_tools: [TOOL],
  });
  await api.waitForStatus(parked.id, ["requires_action"]);
  const chats = Array.from({ length: CHATS }, () => api.createChat({ content: SLOW }));
  return { running: (await Promise.all(chats)).map(({ id }) => id), parked: parked.id };
};

/** Creates a server with an empty database, and the accounts of another. */
export const createTarget = async ({ env, owner, apiKey }: TestServer): Promise<TestServer> => {
  const database = await createTestDatabase(TEST_DATABASE_URL, "empty");
  const { PARLEY_SECRET } = env;
  const settings = {
    PARLEY_API_KEY: apiKey,
    ...(PARLEY_SECRET !== undefined && { PARLEY_SECRET }),
  };
  const server = await createTestServer({ database, withOwner: false, settings });
  return { ...server, owner, apiKey, api: createApi(server.url, apiKey) };
};

/** Expects that a restored server has all of a load, and goes on with it: its turns, its parked chat and its file. */
export const expectGoesOn = async (server: TestServer, load: Load): Promise<void> => {
  await server.database.expireLeases();
  await server.start();
  await createSession(server);
  const { api } = server;
  const call = (await api.chat(load.parked)).required_action?.tool_calls[0];
  await api.submit(load.parked, [
    { tool_call_id: call?.tool_call_id ?? "", output: { state: "sent" } },
  ]);
  for (const id of [load.parked, ...load.running]) {
    expect((await api.waitForStatus(id)).status).toBe("waiting");
    const { messages } = await api.history(id);
    expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_message, index) => index + 1));
  }
  const workspaces = join(server.database.dataDir, "workspaces");
  const names = readdirSync(workspaces).filter((name) => !name.startsWith("."));
  expect(names.map((name) => readFileSync(join(workspaces, name, "notes.txt"), "utf8"))).toEqual([
    "kept",
  ]);
};
