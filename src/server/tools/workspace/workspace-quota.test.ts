import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { removeTree } from "./remove-tree";
import { ToolFailure } from "@/server/tools/tool-result";
import { openWorkspace } from "./workspace";
import { createWorkspaces } from "./workspaces";
import { createWorkspaceQuota, type WorkspaceQuota } from "./workspace-quota";

const KILOBYTE = 1024;
const chatId = (number: number) => `0197b1c0-0000-7000-8000-00000000000${number}`;

let dataDir: string;
let directory: string;
let quota: WorkspaceQuota;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parley-quota-"));
  directory = join(dataDir, "workspaces");
  quota = createWorkspaceQuota(directory, 1);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await removeTree(dataDir);
});

const open = (number: number) =>
  openWorkspace({ directory, quota, chatExists: () => Promise.resolve(true) }, chatId(number));

const write = (number: number, path: string, kilobytes: number, overwrite = false) =>
  open(number).write(path, new Uint8Array(kilobytes * KILOBYTE), { overwrite });

const getFailure = async (promise: Promise<unknown>): Promise<string> => {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ToolFailure);
  return error instanceof Error ? error.message : "";
};

/** The clock of the process: it runs as it does, until it is set forward. */
const movableClock = () => {
  const real = performance.now.bind(performance);
  let ahead = 0;
  vi.spyOn(performance, "now").mockImplementation(() => real() + ahead);
  return { forward: (ms: number) => void (ahead += ms) };
};

it("limits all workspaces together, and says what to do", async () => {
  await write(1, "a", 600);
  await write(2, "b", 420);
  const message = await getFailure(write(3, "c", 1));
  expect(message).toMatch(
    /all chats together may hold 1 MB.*Delete chats.*PARLEY_WORKSPACES_MAX_MB/,
  );
  expect(await readdir(join(directory, chatId(3)))).toEqual([]);
  expect(await readdir(join(directory, chatId(2)))).toEqual(["b"]);
});

it("counts what was there before the process", async () => {
  await mkdir(join(directory, chatId(1), "sub"), { recursive: true });
  await writeFile(join(directory, chatId(1), "sub/a"), new Uint8Array(1_000 * KILOBYTE));
  await getFailure(write(2, "b", 24));
  await write(2, "b", 20);
});

it("lets a file be replaced by one that is not larger", async () => {
  await write(1, "a", 1_020);
  await write(1, "a", 1_020, true);
  await write(1, "a", 20, true);
  await write(2, "b", 1_000);
});

it("gives no room for a file that was never counted when it is replaced or deleted", async () => {
  await write(1, "a", 1);
  await writeFile(join(directory, chatId(1), "a"), new Uint8Array(8_000 * KILOBYTE));
  await write(1, "a", 1, true);
  await write(1, "b", 1_000);
  await getFailure(write(2, "c", 1_000));
  await writeFile(join(directory, chatId(1), "b"), new Uint8Array(8_000 * KILOBYTE));
  await open(1).remove("b", { recursive: false });
  await write(2, "c", 1_000);
  await getFailure(write(3, "d", 1_000));
});

it("holds for writes of several chats at the same time", async () => {
  const results = await Promise.allSettled([1, 2, 3, 4].map((number) => write(number, "a", 400)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
});

it("does not count a write that failed", async () => {
  await expect(
    quota
      .open(chatId(1))
      .write(1_020 * KILOBYTE, () => Promise.reject(new Error("the disk broke"))),
  ).rejects.toThrow("the disk broke");
  await write(1, "a", 1_020);
});

it("has room again once a chat was deleted, and measures at most every few seconds", async () => {
  const clock = movableClock();
  await write(1, "a", 1_000);
  await removeTree(join(directory, chatId(1)));
  await getFailure(write(2, "b", 1_000));
  clock.forward(6_000);
  await write(2, "b", 1_000);
});

it("counts what is written while it measures", async () => {
  await write(1, "a", 500);
  const measured = quota.measure();
  await Promise.all([measured, write(2, "b", 500)]);
  await getFailure(write(3, "c", 25));
});

it("stops measuring when it is aborted, and measures again", async () => {
  await write(1, "a", 1_000);
  const reason = new Error("shutdown");
  await expect(quota.measure(AbortSignal.abort(reason))).rejects.toBe(reason);
  await quota.measure();
  await getFailure(write(2, "b", 25));
});

it("has the room of a removed chat when its files are gone, and not before", async () => {
  const workspaces = createWorkspaces({
    dataDir,
    maxMegabytes: 1,
    chatExists: () => Promise.resolve(true),
  });
  const writeTo = (number: number) =>
    workspaces
      .open({ rootChatId: chatId(number) })
      .write("a", new Uint8Array(600 * KILOBYTE), { overwrite: false });
  await writeTo(1);
  await workspaces.discard(chatId(1));
  await getFailure(writeTo(2));
  await workspaces.removeDiscarded(() => Promise.resolve());
  await writeTo(2);
});

it("counts what files take of the disk: blocks and entries, not their sizes", async () => {
  await mkdir(join(directory, chatId(1)), { recursive: true });
  for (let index = 0; index < 600; index++)
    await writeFile(join(directory, chatId(1), `${index}`), "");
  await getFailure(write(2, "a", 480));
  await write(2, "a", 400);
});

it("counts what commands have, named or not, until they end", async () => {
  const command = quota.open(chatId(1)).track(0);
  await quota.measure();
  command.report({ named: 100 * KILOBYTE, unlinked: 600 * KILOBYTE });
  const other = quota.open(chatId(1)).track(0);
  other.report({ named: 100 * KILOBYTE, unlinked: 100 * KILOBYTE });
  expect(other.sizes()).toEqual({ workspaceBytes: 800 * KILOBYTE, roomInAll: 224 * KILOBYTE });
  await getFailure(write(2, "a", 240));
  command.end();
  command.report({ named: 100 * KILOBYTE, unlinked: 600 * KILOBYTE });
  await write(2, "a", 240);
  other.end();
  await vi.waitFor(() => expect(quota.open(chatId(1)).track(0).sizes().workspaceBytes).toBe(0));
});

it("is full only by a measurement that is not old, which others' deletions may have made wrong", async () => {
  const clock = movableClock();
  const command = quota.open(chatId(1)).track(0);
  await mkdir(join(directory, chatId(2)), { recursive: true });
  await writeFile(join(directory, chatId(2), "a"), new Uint8Array(1_100 * KILOBYTE));
  await quota.measure();
  expect(command.isFull()).toBe(true);
  await removeTree(join(directory, chatId(2)));
  clock.forward(6_000);
  expect(command.isFull()).toBe(false);
  await quota.measure();
  expect(command.sizes().roomInAll).toBe(1_024 * KILOBYTE);
  expect(command.isFull()).toBe(false);
});
