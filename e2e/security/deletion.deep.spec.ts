import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "../fixtures";
import { createTestServer, type TestServer } from "../server";

/** Removed in about 20 s, so that a server can be killed before the last one. */
const FILES = 20_000;
const PER_DIRECTORY = 1_000;
const KEPT_WORD = "cinnabar";

const fill = async (directory: string): Promise<void> => {
  for (let start = 0; start < FILES; start += PER_DIRECTORY) {
    const below = join(directory, `${start}`);
    await mkdir(below);
    const files = Array.from({ length: PER_DIRECTORY }, (_, index) => join(below, `${index}`));
    await Promise.all(files.map((file) => writeFile(file, "x")));
  }
};

const startChat = async ({ api }: TestServer): Promise<string> => {
  const content = `use write_file with {"path":"secret.txt","content":"${KEPT_WORD}"}`;
  const { id } = await api.createChat({ content });
  await api.waitForStatus(id);
  return id;
};

test("a server that is killed while it removes a large workspace removes the rest, and nothing else, after its start", async () => {
  test.setTimeout(600_000);
  const server = await createTestServer();
  const workspaces = join(server.database.dataDir, "workspaces");
  const listRemoved = async (): Promise<string[]> =>
    (await readdir(workspaces)).filter((name) => name.startsWith(".removed-"));
  /** Directories that are left of the removed workspace, of 1,000 files each. */
  const countLeft = async (): Promise<number> => {
    const [removed] = await listRemoved();
    if (removed === undefined) return 0;
    return (await readdir(join(workspaces, removed))).length;
  };
  try {
    await server.start();
    const [deleted, kept] = [await startChat(server), await startChat(server)];
    await fill(join(workspaces, deleted));
    // What the removal must not follow, met first or last.
    for (const name of [".a", "0/a", "z"]) {
      await symlink(join(workspaces, kept), join(workspaces, deleted, name));
    }

    expect((await server.api.request(`DELETE /chats/${deleted}`)).status).toBe(204);
    await expect.poll(listRemoved).toHaveLength(1);
    await expect.poll(countLeft).toBeLessThan(FILES / PER_DIRECTORY);
    await server.kill();
    const left = await countLeft();
    console.log(`${left} directories were left when the server was killed`);
    expect(left).toBeGreaterThan(0);

    await server.database.expireLeases();
    await server.start();
    await expect.poll(listRemoved, { timeout: 300_000 }).toEqual([]);
    expect((await readdir(workspaces)).filter((name) => !name.startsWith("."))).toEqual([kept]);
    expect(await readFile(join(workspaces, kept, "secret.txt"), "utf8")).toBe(KEPT_WORD);
    expect((await server.api.request(`GET /chats/${kept}`)).status).toBe(200);
  } finally {
    await server.remove();
  }
});
