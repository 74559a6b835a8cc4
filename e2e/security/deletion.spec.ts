import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Chat } from "@/contract/chat";
import { chatPage } from "../chat-page";
import { expect, test } from "../fixtures";
import { findTablesWith } from "../query-database";
import { createTestServer, type TestServer } from "../server";

const DELETED_WORD = "quicksilver";
const KEPT_WORD = "cinnabar";

const writeSecret = (word: string) =>
  `use write_file with {"path":"secret.txt","content":"${word}"}`;

const getWorkspaces = ({ database }: TestServer) => join(database.dataDir, "workspaces");

const listWorkspaces = async (server: TestServer): Promise<string[]> =>
  (await readdir(getWorkspaces(server))).filter((name) => !name.startsWith(".")).sort();

/** Starts a chat that writes a file, under an idempotency key, and sends it a message under another. */
const startKeyedChat = async ({ api }: TestServer, word: string): Promise<string> => {
  const key = { "idempotency-key": word };
  const { body } = await api.request("POST /chats", { content: writeSecret(word) }, key);
  const { id } = body as Chat;
  await api.waitForStatus(id);
  const sent = await api.request(`POST /chats/${id}/messages`, { content: word }, key);
  expect(sent.status).toBe(200);
  await api.waitForStatus(id);
  return id;
};

/** Creates a workspace without a chat. */
const createOrphan = async (server: TestServer, bytes: number): Promise<string> => {
  const id = randomUUID();
  const directory = join(getWorkspaces(server), id);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "file"), new Uint8Array(bytes));
  return id;
};

test("a deleted chat leaves nothing: no file, no stored answer, no other row", async () => {
  const server = await createTestServer();
  try {
    await server.start();
    const deleted = await startKeyedChat(server, DELETED_WORD);
    const kept = await startKeyedChat(server, KEPT_WORD);
    const file = join(getWorkspaces(server), deleted, "secret.txt");
    expect(await readFile(file, "utf8")).toBe(DELETED_WORD);

    await server.api.request(`POST /files?chat_id=${kept}`, { of: "the chat that is kept" });
    const { body: fork } = await server.api.request(`POST /chats/${kept}/fork`, {});
    const { id: forkId } = fork as Chat;

    for (const id of [deleted, forkId]) {
      expect((await server.api.request(`DELETE /chats/${id}`)).status).toBe(204);
    }

    await expect.poll(() => listWorkspaces(server)).toEqual([kept]);
    await server.kill();
    expect(await findTablesWith(server.database, DELETED_WORD)).toEqual([]);
    expect(await findTablesWith(server.database, deleted)).toEqual([]);
    expect(await findTablesWith(server.database, forkId)).toEqual([]);
    // The search finds what is there.
    expect(await findTablesWith(server.database, KEPT_WORD)).toContain("idempotency_key");
  } finally {
    await server.remove();
  }
});

test("a workspace whose removal was lost in a crash is removed after the restart", async () => {
  const server = await createTestServer();
  try {
    await server.start();
    const { id } = await server.api.createChat({ content: writeSecret(KEPT_WORD) });
    await server.api.waitForStatus(id);
    await server.kill();
    const [orphan, young] = [await createOrphan(server, 10), await createOrphan(server, 10)];
    for (const name of [id, orphan]) await utimes(join(getWorkspaces(server), name), 0, 0);
    await mkdir(join(getWorkspaces(server), "not-a-chat"));
    await server.database.expireLeases();
    await server.start();
    await expect.poll(() => listWorkspaces(server)).toEqual([id, young, "not-a-chat"].sort());
  } finally {
    await server.remove();
  }
});

test("all workspaces together have a limit, and the tool says what to do", async () => {
  const server = await createTestServer({ settings: { PARLEY_WORKSPACES_MAX_MB: "1" } });
  try {
    await createOrphan(server, 1024 * 1024);
    await server.start();
    const { id } = await server.api.createChat({ content: writeSecret(KEPT_WORD) });
    await server.api.waitForStatus(id);
    const { messages } = await server.api.history(id);
    const call = messages.flatMap(({ parts }) => parts).find(({ type }) => type === "tool_call");
    expect(call).toMatchObject({ state: "error", is_error: true });
    expect(JSON.stringify(call)).toContain("Delete chats that are no longer needed");
    expect(await readdir(join(getWorkspaces(server), id))).toEqual([]);
  } finally {
    await server.remove();
  }
});

test("the browser forgets the draft of a chat that is deleted elsewhere", async ({ page, api }) => {
  const { id } = await api.createChat({ content: "write 2 words" });
  await api.waitForStatus(id);
  const { openChat, message } = chatPage(page);
  await openChat(id);
  await message.fill(DELETED_WORD);
  const storedTexts = () => page.evaluate(() => JSON.stringify(window.localStorage));
  await expect.poll(storedTexts).toContain(DELETED_WORD);
  expect(await storedTexts()).toContain(id);

  expect((await api.request(`DELETE /chats/${id}`)).status).toBe(204);

  await expect.poll(storedTexts).not.toContain(id);
  expect(await storedTexts()).not.toContain(DELETED_WORD);
});
