import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { lstat, mkdir, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { useFileTools } from "@/test/file-tools";

const tools = useFileTools();
const inRoot = (path: string): string => join(tools().root, path);
const getContent = (path: string): Promise<string> => readFile(inRoot(path), "utf8");
const namesIn = async (path: string): Promise<string[]> =>
  (await readdir(inRoot(path), { recursive: true })).sort();

beforeEach(async () => {
  await tools().put("a.txt", "a");
  await tools().put("b.txt", "b");
  await tools().put("dir/sub/c.txt", "c");
  await writeFile(join(tools().outside, "secret"), "top secret");
  await symlink(join(tools().outside, "secret"), inRoot("link"));
});

const outsideIsUntouched = async (): Promise<void> => {
  expect(await readdir(tools().outside)).toEqual(["secret"]);
  expect(await readFile(join(tools().outside, "secret"), "utf8")).toBe("top secret");
};

const move = (from: string, to: string, overwrite?: boolean) =>
  tools().call("move_file", { from, to, ...(overwrite !== undefined && { overwrite }) });

describe("move_file", () => {
  it("moves a file to a directory that does not exist yet", async () => {
    expect(await move("a.txt", "x/y/z.txt")).toMatchObject({
      state: "completed",
      output: 'Moved "a.txt" to "x/y/z.txt".',
    });
    expect(await getContent("x/y/z.txt")).toBe("a");
    expect(existsSync(inRoot("a.txt"))).toBe(false);
  });

  it("moves a directory with everything in it", async () => {
    expect(await move("dir", "new/dir2")).toMatchObject({ state: "completed" });
    expect(await namesIn("new")).toEqual(["dir2", "dir2/sub", "dir2/sub/c.txt"]);
    expect(existsSync(inRoot("dir"))).toBe(false);
  });

  it("replaces a file only when it is asked to", async () => {
    const refused = await move("a.txt", "b.txt");
    expect(refused).toMatchObject({ state: "error", isError: true });
    expect(refused.output).toMatch(/"b.txt" already exists.*overwrite/);
    expect([await getContent("a.txt"), await getContent("b.txt")]).toEqual(["a", "b"]);
    expect(await move("a.txt", "b.txt", true)).toMatchObject({ state: "completed" });
    expect(await getContent("b.txt")).toBe("a");
  });

  it("moves a link itself, and nothing through it", async () => {
    await symlink("dir", inRoot("inner"));
    expect(await move("link", "moved")).toMatchObject({ state: "completed" });
    expect((await lstat(inRoot("moved"))).isSymbolicLink()).toBe(true);
    expect(await move("inner/sub/c.txt", "d.txt")).toMatchObject({ state: "completed" });
    expect(await getContent("d.txt")).toBe("c");
    await outsideIsUntouched();
  });

  it("gives only one of many concurrent moves the new name", async () => {
    await Promise.all(Array.from({ length: 10 }, (_, at) => tools().put(`f${at}`, String(at))));
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, at) => move(`f${at}`, "winner")),
    );
    expect(outcomes.filter(({ state }) => state === "completed")).toHaveLength(1);
    expect((await namesIn(".")).filter((name) => name.startsWith("f"))).toHaveLength(9);
  });

  it.each<[what: string, from: string, to: string, message: RegExp]>([
    ["what does not exist", "none", "new/x", /"none" does not exist/],
    ["the workspace", ".", "x", /workspace itself/],
    [
      "onto a directory",
      "a.txt",
      "dir",
      /"dir" is a directory\. Give the whole new path.*"dir\/a.txt"/,
    ],
    ["onto the workspace", "a.txt", "./", /is a directory.*"\.\/a.txt"/],
    ["a directory onto a file", "dir", "a.txt", /"a.txt" already exists, and a directory/],
    ["a directory into itself", "dir", "dir/x/y", /"dir\/x\/y", which is inside of it/],
    ["a directory into itself through a link", "dir", "self/x/y", /which is inside of it/],
    ["to the same path", "a.txt", "./a.txt", /are the same/],
    ["out of the workspace", "a.txt", "../a.txt", /inside the workspace/],
    ["out through a link", "a.txt", "out/a.txt", /leads out of the workspace/],
    ["from outside", "/etc/passwd", "x", /absolute/],
    ["from outside through a link", "out/secret", "x", /leads out of the workspace/],
    ["below a file", "a.txt", "b.txt/x", /"b.txt\/x" leads through something/],
  ])("refuses to move %s, and changes nothing", async (_what, from, to, message) => {
    await symlink(tools().outside, inRoot("out"));
    await symlink("dir", inRoot("self"));
    const before = await namesIn(".");
    const outcome = await move(from, to, true);
    expect(outcome).toMatchObject({ state: "error", isError: true });
    expect(outcome.output).toMatch(message);
    expect(await namesIn(".")).toEqual(before);
    await outsideIsUntouched();
  });
});

describe("delete_file", () => {
  const remove = (path: string, recursive?: boolean) =>
    tools().call("delete_file", { path, ...(recursive !== undefined && { recursive }) });

  it("deletes a file, and a directory only when it is asked to", async () => {
    expect((await remove("a.txt")).output).toBe('Deleted "a.txt".');
    const refused = await remove("dir");
    expect(refused).toMatchObject({ state: "error", isError: true });
    expect(refused.output).toMatch(/"dir" is a directory. Set recursive to true/);
    expect(await getContent("dir/sub/c.txt")).toBe("c");
    expect((await remove("dir", true)).output).toBe(
      'Deleted the directory "dir" with everything in it.',
    );
    expect(await namesIn(".")).toEqual(["b.txt", "link"]);
  });

  it("deletes a link, a pipe and a file of a terabyte themselves", async () => {
    execFileSync("mkfifo", [inRoot("pipe")]);
    execFileSync("truncate", ["-s", "1T", inRoot("sparse")]);
    await symlink(tools().outside, inRoot("dir/out"));
    for (const path of ["link", "pipe", "sparse", "dir"]) {
      expect(await remove(path, true)).toMatchObject({ state: "completed" });
    }
    expect(await namesIn(".")).toEqual(["a.txt", "b.txt"]);
    await outsideIsUntouched();
  });

  it.each<[what: string, path: string, message: RegExp]>([
    ["the workspace", "./", /workspace itself/],
    ["what does not exist", "none", /"none" does not exist/],
    ["what is outside", "../outside/secret", /inside the workspace/],
    ["what a link leads to", "out/secret", /leads out of the workspace/],
  ])("refuses %s", async (_what, path, message) => {
    await symlink(tools().outside, inRoot("out"));
    await mkdir(inRoot("empty"));
    const outcome = await remove(path, true);
    expect(outcome).toMatchObject({ state: "error", isError: true });
    expect(outcome.output).toMatch(message);
    await outsideIsUntouched();
  });
});

it.each([
  ["move", (round: number) => tools().call("move_file", { from: "swap/secret", to: `t${round}` })],
  ["delete", () => tools().call("delete_file", { path: "swap/secret" })],
])(
  "%s never reaches what is outside while a directory is replaced by a link",
  async (_what, act) => {
    const script = `while :; do rm -rf swap; mkdir swap; echo in > swap/secret; rm -rf swap; ln -s ${tools().outside} swap; done`;
    const swapping = spawn("sh", ["-c", script], { cwd: tools().root, stdio: "ignore" });
    const states = new Set<string>();
    for (let round = 0; round < 300; round++) states.add((await act(round)).state);
    swapping.kill("SIGKILL");
    await once(swapping, "close");
    expect(states).toContain("error");
    await outsideIsUntouched();
    const taken = (await namesIn(".")).filter((name) => /^t\d+$/.test(name));
    for (const name of taken) expect(await getContent(name)).toBe("in\n");
  },
);
