import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { SERVER_KEY } from "@/server/db/settings/setting-writes";
import { createTools } from "./tool-registry";
import { testDatabase } from "@/test/database";
import { emptyToolDeps } from "@/test/tool-fixture";
import { createAppWorkspaces } from "./app-workspaces";
import { checkWorkspaces } from "./check-workspaces";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  await db.prisma.setting.deleteMany({ where: { key: SERVER_KEY.workspacesId } });
});

/** Starts another process, as far as this check is concerned. */
const start = async (dataDir: string) => {
  const logged: string[] = [];
  const log = { error: (_fields: object, message: string) => void logged.push(message) };
  const sentence = await checkWorkspaces({
    db,
    workspaces: createAppWorkspaces({ db, dataDir, maxMegabytes: 1 }),
    log,
  });
  return { sentence, logged };
};
const createDataDir = () => mkdtempSync(path.join(os.tmpdir(), "parley-shared-"));

it("lets all processes on the first one's directory use the files of chats, and no other", async () => {
  const [shared, other] = [createDataDir(), createDataDir()];
  expect((await start(shared)).sentence).toBeUndefined();
  expect((await start(shared)).sentence).toBeUndefined();
  const { sentence, logged } = await start(other);
  expect(sentence).toContain("one directory that all processes share");
  expect(logged).toEqual([expect.stringContaining("write the sharedId to the file")]);

  const sharedId = readFileSync(path.join(shared, "workspaces/.directory"), "utf8");
  writeFileSync(path.join(other, "workspaces/.directory"), sharedId);
  expect((await start(other)).sentence).toBeUndefined();
});

it("says that a directory cannot be used", async () => {
  const dataDir = createDataDir();
  writeFileSync(path.join(dataDir, "workspaces"), "no directory");
  chmodSync(dataDir, 0o500);
  expect((await start(dataDir)).sentence).toContain("cannot be used");
});

it("offers neither file tools nor exec where the directory is another one", () => {
  const tools = createTools({ ...emptyToolDeps, workspacesProblem: "Not here." });
  const off = Object.values(tools)
    .filter((tool) => tool.unavailable === "Not here.")
    .map(({ name }) => name);
  expect(off).toEqual(expect.arrayContaining(["exec", "read_file", "search_files", "write_file"]));
  expect(off).not.toContain("current_time");
});
