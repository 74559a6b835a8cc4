import { execFileSync } from "node:child_process";
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_ARTIFACT_BYTES } from "@/contract/limits";
import { workspaceOptions } from "@/test/tool-fixture";
import { removeTree } from "./remove-tree";
import { ToolFailure } from "@/server/tools/tool-result";
import { type Workspace, openWorkspace } from "./workspace";

const ROOT_CHAT = "0197b1c0-0000-7000-8000-000000000001";
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (content: Uint8Array) => new TextDecoder().decode(content);

let host: string;
let dataDir: string;
let root: string;
let outside: string;
let workspace: Workspace;

beforeEach(async () => {
  host = await mkdtemp(join(tmpdir(), "parley-workspace-"));
  dataDir = join(host, "data");
  root = join(dataDir, "workspaces", ROOT_CHAT);
  outside = join(host, "outside");
  await mkdir(outside);
  await writeFile(join(outside, "secret.txt"), "top secret");
  workspace = openWorkspace(workspaceOptions(dataDir), ROOT_CHAT);
});

afterEach(async () => {
  await rm(host, { recursive: true, force: true });
});

const write = (path: string, content = "content", overwrite = false) =>
  workspace.write(path, bytes(content), { overwrite });

const PAGE = { offset: 0, limit: 100 };

const getEntries = async (path: string, listed: Pick<Workspace, "list"> = workspace) =>
  (await listed.list(path, PAGE)).entries;

/** @returns the message for the model, which must not reveal a path of the host. */
const getFailure = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ToolFailure);
  const message = error instanceof Error ? error.message : "";
  expect(message).not.toContain(host);
  return message;
};

const everyWay = (path: string): [string, () => Promise<unknown>][] => [
  ["list", () => workspace.list(path, PAGE)],
  ["read", () => workspace.read(path)],
  ["write", () => write(path)],
  ["overwrite", () => write(path, "gone", true)],
  ["readRange", () => workspace.readRange(path, { position: 0, length: 1 })],
  ["change", () => workspace.change(path, { create: true, change: () => bytes("gone") })],
  ["locate", () => workspace.locate(path, () => Promise.resolve("located"))],
];

const outsideIsUntouched = async () => {
  expect(await readdir(outside)).toEqual(["secret.txt"]);
  expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe("top secret");
};

describe("an empty workspace", () => {
  it("makes no directory before the first write", async () => {
    expect(await workspace.list(".", PAGE)).toEqual({ entries: [], total: 0 });
    expect(await workspace.list("", PAGE)).toEqual({ entries: [], total: 0 });
    await getFailure(workspace.read("a.txt"));
    await expect(stat(dataDir)).rejects.toThrow("ENOENT");
  });

  it("says of every path that it does not exist", async () => {
    expect(await getFailure(workspace.read("a.txt"))).toBe('"a.txt" does not exist.');
    expect(await getFailure(workspace.list("a", PAGE))).toBe('"a" does not exist.');
  });
});

describe("what is written", () => {
  it("is read back, with the directories it needs", async () => {
    expect(await write("a/b/c.txt", "héllo\r\n")).toEqual({ created: true });
    expect(text(await workspace.read("./a//b/c.txt"))).toBe("héllo\r\n");
    expect(await getEntries("a")).toMatchObject([{ name: "b", type: "directory" }]);
    expect(await getEntries("a/b")).toEqual([{ name: "c.txt", type: "file", size: 8 }]);
  });

  it("is shared by all chats of the same root chat, and by no other", async () => {
    await write("a.txt");
    const other = openWorkspace(workspaceOptions(dataDir), "0197b1c0-0000-7000-8000-000000000002");
    const { total } = await openWorkspace(workspaceOptions(dataDir), ROOT_CHAT).list(".", PAGE);
    expect(total).toBe(1);
    expect(await other.list(".", PAGE)).toEqual({ entries: [], total: 0 });
  });

  it("may be empty, and may be read as such", async () => {
    await write("a.txt", "");
    expect(await workspace.read("a.txt")).toHaveLength(0);
  });

  it("is not readable for other users of the machine", async () => {
    await write("a/b.txt");
    expect((await stat(root)).mode & 0o077).toBe(0);
    expect((await stat(join(root, "a"))).mode & 0o077).toBe(0);
    expect((await stat(join(root, "a/b.txt"))).mode & 0o077).toBe(0);
  });

  it("leaves no other files", async () => {
    await write("a.txt");
    await write("a.txt", "b", true);
    await getFailure(write("a.txt"));
    expect(await readdir(root)).toEqual(["a.txt"]);
  });
});

describe("a file that exists", () => {
  beforeEach(() => write("a.txt", "old"));

  it("is kept without overwrite", async () => {
    expect(await getFailure(write("a.txt", "new"))).toMatch(/already exists.*overwrite/);
    expect(text(await workspace.read("a.txt"))).toBe("old");
  });

  it("is replaced with overwrite, and keeps its mode", async () => {
    await chmod(join(root, "a.txt"), 0o750);
    expect(await write("a.txt", "new", true)).toEqual({ created: false });
    expect(text(await workspace.read("a.txt"))).toBe("new");
    expect((await stat(join(root, "a.txt"))).mode & 0o777).toBe(0o750);
  });

  it("is created by only one of many concurrent writes", async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => write("b.txt", `writer ${index}`)),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("a path that is of the wrong kind", () => {
  beforeEach(() => write("dir/a.txt"));

  it.each<[what: string, act: () => Promise<unknown>, message: string]>([
    ["reading a directory", () => workspace.read("dir"), '"dir" is a directory.'],
    ["reading the root", () => workspace.read("."), '"." is a directory.'],
    ["writing a directory", () => write("dir", "x", true), '"dir" is a directory.'],
    ["writing the root", () => write("./", "x", true), '"./" is a directory.'],
    ["listing what is missing", () => workspace.list("gone", PAGE), '"gone" does not exist.'],
    ["listing a file", () => workspace.list("dir/a.txt", PAGE), '"dir/a.txt" is not a directory.'],
    [
      "a file as a directory",
      () => workspace.read("dir/a.txt/b"),
      '"dir/a.txt/b" leads through something that is no directory.',
    ],
    [
      "writing below a file",
      () => write("dir/a.txt/b"),
      '"dir/a.txt/b" leads through something that is no directory.',
    ],
  ])("is refused: %s", async (_what, act, message) => {
    expect(await getFailure(act())).toBe(message);
  });

  it("is refused when it is a named pipe, without waiting for a writer", async () => {
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(await getFailure(workspace.read("pipe"))).toBe('"pipe" is not a regular file.');
    expect(await getFailure(write("pipe", "x", true))).toBe('"pipe" is not a regular file.');
  });
});

describe.each([
  ["an absolute path", "/etc/passwd"],
  ["an absolute path into the workspace's parent", "//tmp"],
  ["a sibling of the workspace as commands see it", "/workspaces/a.txt"],
  ["a parent of the workspace as commands see it", "/workspace/../etc/passwd"],
  ["a parent", ".."],
  ["a parent's file", "../outside/secret.txt"],
  ["a parent in the middle", "a/../../outside/secret.txt"],
  ["a parent that comes back", "a/../b.txt"],
  ["a parent after dots", "./././../outside"],
  ["a NUL", "a\0.txt"],
  ["a NUL after a valid name", "a.txt\0/../../etc"],
  ["a lone surrogate", "a\ud800"],
  ["a very long name", "n".repeat(256)],
  ["a name that is long in bytes only", "é".repeat(128)],
  ["a very long path", "d/".repeat(3_000)],
])("%s is refused", (_what, path) => {
  it.each(everyWay("").map(([way]) => way))("to %s", async (way) => {
    await write("a.txt");
    const act = new Map(everyWay(path)).get(way);
    await getFailure(act?.() ?? Promise.resolve());
    await outsideIsUntouched();
    expect(await readdir(root)).toEqual(["a.txt"]);
  });
});

it.each(["...", "a..b", "..a", "~", "$HOME", "a\\..\\b", "%2e%2e", "a:b", " ", "-rf"])(
  "%j is a name like any other",
  async (name) => {
    await write(name, "here");
    expect(text(await workspace.read(name))).toBe("here");
    expect(await readdir(root)).toEqual([name]);
  },
);

describe.each<[what: string, toPath: (path: string) => string]>([
  ["in a sandbox", (path) => `/workspace${path}`],
  ["without one", (path) => `${root}${path}`],
])("a path that a command prints %s", (_what, toPath) => {
  it("is one of the workspace, for all that takes a path", async () => {
    await write(toPath("/dir/a.txt"), "here");
    expect(await readFile(join(root, "dir/a.txt"), "utf8")).toBe("here");
    expect(text(await workspace.read(toPath("//dir/./a.txt")))).toBe("here");
    expect((await getEntries(toPath(""))).map(({ name }) => name)).toEqual(["dir"]);
    expect((await getEntries(toPath("/dir/"))).map(({ name }) => name)).toEqual(["a.txt"]);
    expect(await workspace.enter(toPath("/dir/"))).toMatchObject({ directory: root, cwd: "dir" });
    expect(await workspace.enter(toPath(""))).toMatchObject({ cwd: "" });
    await workspace.move(toPath("/dir/a.txt"), toPath("/b.txt"), { overwrite: false });
    await workspace.remove(toPath("/dir"), { recursive: true });
    expect(await readdir(root)).toEqual(["b.txt"]);
  });

  it("is found empty before the workspace has files", async () => {
    expect(await getEntries(toPath("/"))).toEqual([]);
  });
});

describe("a link out of the workspace", () => {
  beforeEach(() => write("a.txt"));

  it.each<[what: string, target: () => string, path: string]>([
    ["to a file, absolute", () => join(outside, "secret.txt"), "link"],
    ["to a file, relative", () => "../../../outside/secret.txt", "link"],
    ["to a directory, absolute", () => outside, "link/secret.txt"],
    ["to a directory, relative", () => "../../../outside", "link/secret.txt"],
    ["to a new file in a directory", () => outside, "link/new.txt"],
    ["to a new directory in a directory", () => outside, "link/new/new.txt"],
    ["to nothing yet, outside", () => join(outside, "new.txt"), "link"],
    ["to a sibling with the same beginning", () => `${root}-evil/secret.txt`, "link"],
    ["to the parent", () => "..", "link/x"],
    ["by way of the root's own parent", () => `${root}/../../../outside/secret.txt`, "link"],
    ["to a sibling of what commands see", () => "/workspace-evil/secret.txt", "link"],
    ["out of what commands see", () => "/workspace/../../outside/secret.txt", "link"],
    ["to the process's own files", () => "/proc/self/environ", "link"],
  ])("%s is refused", async (_what, target, path) => {
    await symlink(target(), join(root, "link"));
    for (const [, act] of everyWay(path)) await getFailure(act());
    await outsideIsUntouched();
  });

  it("after a link inside is refused, too", async () => {
    await mkdir(join(root, "dir"));
    await symlink("dir", join(root, "inner"));
    await symlink(outside, join(root, "dir/outer"));
    for (const [, act] of everyWay("inner/outer/secret.txt")) await getFailure(act());
    await outsideIsUntouched();
  });

  it("is shown in a listing as a link, without its target", async () => {
    await symlink(join(outside, "secret.txt"), join(root, "link"));
    expect((await getEntries(".")).map(({ name, type }) => [name, type])).toEqual([
      ["a.txt", "file"],
      ["link", "link"],
    ]);
  });
});

describe("a link inside the workspace", () => {
  beforeEach(() => write("dir/a.txt", "inside"));

  it.each<[what: string, target: () => string, path: string]>([
    ["to a file", () => "dir/a.txt", "link"],
    ["to a directory", () => "dir", "link/a.txt"],
    ["to a directory, absolute", () => join(root, "dir"), "link/a.txt"],
    ["to the root, absolute", () => root, "link/dir/a.txt"],
    ["to a file, as commands see it", () => "/workspace/dir/a.txt", "link"],
    ["to the root, as commands see it", () => "/workspace", "link/dir/a.txt"],
    ["by way of a parent inside", () => "./dir/../dir", "link/a.txt"],
  ])("%s is followed", async (_what, target, path) => {
    await symlink(target(), join(root, "link"));
    expect(text(await workspace.read(path))).toBe("inside");
    await write(path, "changed", true);
    expect(text(await workspace.read("dir/a.txt"))).toBe("changed");
  });

  it("is refused when links form a cycle", async () => {
    await symlink("b", join(root, "a"));
    await symlink("a", join(root, "b"));
    for (const [, act] of everyWay("a")) await getFailure(act());
  });
});

describe("a directory that is replaced by a link out while it is used", () => {
  const dir = () => join(root, "dir");

  /** One step of many that race with the workspace; losing the race is no failure. */
  const attempt = async (step: Promise<unknown>) => {
    await step.catch(() => undefined);
  };

  const swapUntil = async (isDone: () => boolean) => {
    while (!isDone()) {
      await attempt(mkdir(dir()));
      await attempt(writeFile(join(dir(), "secret.txt"), "inside"));
      await attempt(rm(dir(), { recursive: true }));
      await attempt(symlink(outside, dir()));
      await attempt(unlink(dir()));
    }
  };

  it("never lets a read or a write through", async () => {
    await write("a.txt");
    let done = false;
    const swapping = swapUntil(() => done);
    const read = new Set<string>();
    for (let round = 0; round < 300; round++) {
      const [content] = await Promise.all([
        workspace.read("dir/secret.txt").then(text, () => "refused"),
        attempt(write(`dir/new-${round}.txt`)),
        attempt(write("dir/secret.txt", "overwritten", true)),
      ]);
      read.add(content);
    }
    done = true;
    await swapping;
    expect(read).toContain("refused");
    expect(read.size).toBeGreaterThan(1);
    expect(read).not.toContain("top secret");
    await outsideIsUntouched();
  });
});

describe("the quota", () => {
  const small = () =>
    openWorkspace(
      { ...workspaceOptions(dataDir), limits: { maxBytes: 10, maxFiles: 3 } },
      ROOT_CHAT,
    );
  const put = (path: string, content: string, overwrite = false) =>
    small().write(path, bytes(content), { overwrite });

  it("accepts what just fits and refuses one byte more", async () => {
    await put("a", "12345");
    await put("b", "12345");
    expect(await getFailure(put("c", "1"))).toMatch(/full.*10 bytes/);
    expect(await getFailure(put("a", "123456", true))).toMatch(/full/);
    expect((await getEntries(".", small())).map(({ name }) => name)).toEqual(["a", "b"]);
  });

  it("lets a file of a full workspace be replaced by a smaller one", async () => {
    await put("a", "1234567890");
    await put("a", "1", true);
    await put("b", "123456789");
    expect(text(await small().read("b"))).toBe("123456789");
  });

  it("counts files and directories", async () => {
    await put("d/e/a", "1");
    expect(await getFailure(put("b", "1"))).toMatch(/full.*3 files/);
    await put("d/e/a", "2", true);
    expect(await getFailure(put("x/y", "1"))).toMatch(/full/);
    expect((await getEntries(".", small())).map(({ name }) => name)).toEqual(["d"]);
  });

  it("holds for changes of files and for the directories of a new path", async () => {
    const append = (path: string, content: string) =>
      small().change(path, {
        create: true,
        change: (before) => bytes(`${before === undefined ? "" : text(before)}${content}`),
      });
    await append("a", "12345");
    await append("a", "67890");
    expect(await getFailure(append("a", "1"))).toMatch(/full.*10 bytes/);
    expect(text(await small().read("a"))).toBe("1234567890");
    const move = (to: string) => small().move("a", to, { overwrite: false });
    await move("d/a");
    expect(await getFailure(small().move("d/a", "x/y/a", { overwrite: false }))).toMatch(
      /full.*3 files/,
    );
    expect(text(await small().read("d/a"))).toBe("1234567890");
  });

  it("holds for concurrent writes", async () => {
    const results = await Promise.allSettled(
      ["a", "b", "c", "d"].map((name) => put(name, "12345")),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  });

  it("does not count what a link points at", async () => {
    await put("a", "1");
    await writeFile(join(outside, "big"), "x".repeat(1_000));
    await symlink(join(outside, "big"), join(root, "l"));
    await rm(join(root, "l"));
    await symlink("a", join(root, "l"));
    await put("b", "12345678");
    expect(text(await small().read("b"))).toBe("12345678");
  });
});

it("a file that is too large is neither written nor read", async () => {
  const large = new Uint8Array(MAX_ARTIFACT_BYTES + 1);
  expect(await getFailure(workspace.write("a", large, { overwrite: false }))).toMatch(/larger/);
  await write("b");
  await writeFile(join(root, "c"), large);
  expect(await getFailure(workspace.read("c"))).toMatch(/of more than 16777216 bytes/);
});

describe("the workspace of a deleted chat", () => {
  it("is not created by a late write", async () => {
    const deleted = openWorkspace(
      { ...workspaceOptions(dataDir), chatExists: () => Promise.resolve(false) },
      ROOT_CHAT,
    );
    const late = deleted.write("a/b.txt", bytes("late"), { overwrite: false });
    expect(await getFailure(late)).toBe("This chat was deleted.");
    await expect(stat(root)).rejects.toThrow("ENOENT");
  });

  it("is gone after writes of two processes that race with its removal", async () => {
    // Another path of the same directory has another lock, as in another process.
    const alias = join(host, "alias");
    await symlink(dataDir, alias);
    await mkdir(dataDir);
    const outcomes = new Set<string>();
    for (let round = 0; round < 60; round++) {
      let exists = true;
      let written = 0;
      const chatExists = () => Promise.resolve(exists);
      const writers = [dataDir, alias].map((path) =>
        openWorkspace({ ...workspaceOptions(path), chatExists }, ROOT_CHAT),
      );
      const writes = Promise.allSettled(
        writers.flatMap((writer, number) =>
          ["a", "b/c", "d/e/f"].map((path) =>
            writer
              .write(`${number}${path}`, bytes("x"), { overwrite: false })
              .then(() => written++),
          ),
        ),
      );
      while (written < round % 6) await nextTick();
      for (let tick = 0; tick < round; tick++) await nextTick();
      exists = false;
      await removeTree(root);
      for (const { status } of await writes) outcomes.add(status);
      await expect(stat(root)).rejects.toThrow("ENOENT");
    }
    expect([...outcomes].sort()).toEqual(["fulfilled", "rejected"]);
  });
});

it.each(["", "..", "../other", "a/b", "not-a-uuid"])(
  "a root chat id like %j is refused",
  (rootChatId) => {
    expect(() => openWorkspace(workspaceOptions(dataDir), rootChatId)).toThrow(TypeError);
  },
);
