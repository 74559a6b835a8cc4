import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { JsonValue } from "@/contract/json";
import { FoundLines } from "@/contract/found-lines";
import { useFileTools } from "@/test/file-tools";

const tools = useFileTools();
const put = (path: string, content: string | Uint8Array) => tools().put(path, content);
const call = (args: { [key: string]: JsonValue }) => tools().call("search_files", args);

const search = async (args: { [key: string]: JsonValue }): Promise<FoundLines> => {
  const outcome = await call(args);
  expect(outcome).toMatchObject({ state: "completed", isError: false });
  return FoundLines.parse(outcome.output);
};

const getPaths = async (args: { [key: string]: JsonValue }): Promise<string[]> =>
  (await search(args)).files.map(({ path }) => path);

describe("search_files", () => {
  it("finds lines by file and number, sorted by path", async () => {
    await put("src/b.ts", "one\r\ntwo tides\r\n");
    await put("src/a.ts", "\uFEFFtide 1\n\nthe tide\n");
    expect(await search({ pattern: "tides?$|^.?tide" })).toEqual({
      files: [
        {
          path: "src/a.ts",
          matches: [
            { line: 1, text: "tide 1" },
            { line: 3, text: "the tide" },
          ],
        },
        { path: "src/b.ts", matches: [{ line: 2, text: "two tides" }] },
      ],
    });
  });

  it("searches a directory, a file, or files of a glob", async () => {
    for (const path of ["a.ts", "a.md", "src/b.ts", "src/deep/c.ts"]) await put(path, "tide");
    expect(await getPaths({ pattern: "tide", path: "src" })).toEqual(["src/b.ts", "src/deep/c.ts"]);
    expect(await getPaths({ pattern: "tide", path: "./src//b.ts" })).toEqual(["src/b.ts"]);
    expect(await getPaths({ pattern: "tide", glob: "*.md" })).toEqual(["a.md"]);
    expect(await getPaths({ pattern: "tide", path: "src", glob: "src/deep/*" })).toEqual([
      "src/deep/c.ts",
    ]);
  });

  it("leaves out hidden, ignored and binary files unless it is asked for them", async () => {
    await put(".gitignore", "*.log\nbuilt/\n");
    await put("src/.gitignore", "!keep.log\n");
    for (const path of ["a.txt", ".env", "a.log", "built/x.js", "src/b.log", "src/keep.log"]) {
      await put(path, "tide");
    }
    await put("binary", "a\0\ntide");
    expect(await getPaths({ pattern: "tide" })).toEqual(["a.txt", "src/keep.log"]);
    expect(await getPaths({ pattern: "tide", path: "src" })).toEqual(["src/keep.log"]);
    expect(await getPaths({ pattern: "tide", path: "built" })).toEqual(["built/x.js"]);
    expect(await getPaths({ pattern: "tide", include_ignored: true })).toEqual([
      ".env",
      "a.log",
      "a.txt",
      "built/x.js",
      "src/b.log",
      "src/keep.log",
    ]);
  });

  it("does not heed the rules of the host's directories", async () => {
    await writeFile(join(tools().root, "../.gitignore"), "*\n");
    await put("a.txt", "tide");
    expect(await getPaths({ pattern: "tide" })).toEqual(["a.txt"]);
  });

  it("takes a leading hyphen, options and shell signs as part of the pattern", async () => {
    await put("-e.txt", "--files -rf\n$(id) `id`; rm\n");
    for (const pattern of ["--files", "-rf", "$(id) `id`; rm"]) {
      expect(await getPaths({ pattern, literal: true })).toEqual(["-e.txt"]);
    }
    expect(await getPaths({ pattern: "-r", path: "-e.txt" })).toEqual(["-e.txt"]);
    expect(await getPaths({ pattern: "x", glob: "--files" })).toEqual([]);
  });

  it("ignores case and takes plain text when it is asked to", async () => {
    await put("a.txt", "Tide (1)");
    expect(await getPaths({ pattern: "tide (1)", literal: true, ignore_case: true })).toEqual([
      "a.txt",
    ]);
    expect(await search({ pattern: "tide" })).toEqual({
      files: [],
      note: "Nothing was found. Hidden and ignored files were left out.",
    });
  });

  it("shows at most 50 lines of a file and 100 in all, and says so", async () => {
    for (const name of ["a", "b", "c"]) await put(name, "tide\n".repeat(60));
    const { files, note } = await search({ pattern: "tide" });
    expect(files.map(({ path, matches, has_more }) => [path, matches.length, has_more])).toEqual([
      ["a", 50, true],
      ["b", 50, true],
    ]);
    expect(note).toMatch(/^Only the first 100 matches are here\. Narrow/);
    expect(tools().countTruncated()).toBe(1);
  });

  it("shows the part of a long line that matches, and names a file of longer lines", async () => {
    await put("long", `${"é".repeat(5_000)}tide${"é".repeat(5_000)}`);
    await put("longer", "tide".repeat(1024 * 1024));
    const { files, note } = await search({ pattern: "tide" });
    expect(files).toHaveLength(1);
    expect(files[0]?.matches[0]?.text).toMatch(/^…é{50}tideé+…$/);
    expect(note).toBe('"longer" has matches in lines too long to show.');
  });

  it.each(["/workspace/sub/*.md", "/workspace/**/*.md", "!/workspace/*.txt"])(
    "takes the glob %s of what commands see",
    async (glob) => {
      await put("sub/found.md", "tide");
      await put("other.txt", "tide");
      expect(await getPaths({ pattern: "tide", glob })).toEqual(["sub/found.md"]);
      const path = "/workspace/sub";
      expect(await getPaths({ pattern: "tide", path })).toEqual(["sub/found.md"]);
    },
  );

  it.each<[what: string, args: { [key: string]: JsonValue }, message: RegExp]>([
    ["a bad pattern", { pattern: "foo(" }, /^ripgrep: regex parse error:.*unclosed group/s],
    ["a bad glob", { pattern: "a", glob: "[" }, /^ripgrep: error parsing glob '\['/],
    ["a pattern too large", { pattern: "\\w{1000}{100}" }, /^ripgrep: .*size/s],
    ["a line break", { pattern: "a\nb" }, /line breaks/],
    ["an escaped line break", { pattern: "a\\nb" }, /^ripgrep: .*not allowed/s],
    ["a NUL", { pattern: "a\0" }, /NUL/],
    ["a NUL in a glob", { pattern: "a", glob: "\0" }, /NUL/],
    ["no pattern", { pattern: "" }, /pattern/],
    ["a path that does not exist", { pattern: "a", path: "none" }, /"none" does not exist/],
    ["a path outside", { pattern: "a", path: "../outside" }, /inside the workspace/],
    ["an absolute path", { pattern: "a", path: "/etc" }, /absolute/],
    ["a link outside", { pattern: "a", path: "out" }, /leads out of the workspace/],
    ["a pipe", { pattern: "a", path: "pipe" }, /neither a file nor a directory/],
    ["a file of a terabyte", { pattern: "a", path: "sparse" }, /are not searched/],
  ])("is an error for %s", async (_what, args, message) => {
    await symlink(tools().outside, join(tools().root, "out"));
    execFileSync("mkfifo", [join(tools().root, "pipe")]);
    execFileSync("truncate", ["-s", "1T", join(tools().root, "sparse")]);
    const outcome = await call(args);
    expect(outcome).toMatchObject({ state: "error", isError: true });
    expect(outcome.output).toMatch(message);
    expect(outcome.output).not.toMatch(/proc|parley-files/);
  });

  it("does not wait for pipes, devices, huge or unreadable files among others", async () => {
    await put("a.txt", "tide");
    await put("locked", "tide");
    await chmod(join(tools().root, "locked"), 0);
    execFileSync("mkfifo", [join(tools().root, "pipe")]);
    execFileSync("truncate", ["-s", "1T", join(tools().root, "sparse")]);
    await symlink("/dev/zero", join(tools().root, "zero"));
    expect(await getPaths({ pattern: "tide" })).toContain("a.txt");
  });

  it("follows no link out of the workspace", async () => {
    await writeFile(join(tools().outside, "secret"), "tide");
    await symlink(tools().outside, join(tools().root, "out"));
    await symlink(join(tools().outside, "secret"), join(tools().root, "file"));
    expect(await getPaths({ pattern: "tide", include_ignored: true })).toEqual([]);
  });

  it("shows nothing of outside while a directory is replaced by a link", async () => {
    const { root, outside } = tools();
    await writeFile(join(outside, "file"), "top secret tide\n".repeat(20));
    // Other files make ripgrep take its time before it comes to the directory.
    for (let at = 0; at < 200; at++) await put(`${at}.txt`, "nothing");
    await mkdir(join(root, "x"));
    await writeFile(join(root, "x/file"), "inside tide\n");
    await symlink(outside, join(root, "out"));
    const script = "while :; do mv x y; mv out x; mv x out; mv y x; done";
    const swapping = spawn("sh", ["-c", script], { cwd: root, stdio: "ignore" });
    try {
      const seen = new Set<string>();
      for (let round = 0; round < 60; round++) {
        const { files } = await search({ pattern: "tide" });
        files.flatMap(({ matches }) => matches).forEach(({ text }) => seen.add(text));
      }
      expect([...seen]).toEqual(["inside tide"]);
    } finally {
      swapping.kill("SIGKILL");
      await once(swapping, "close");
    }
  });

  it("is cancelled when the turn is stopped, and ends with what it has when its time is over", async () => {
    await put("a.txt", "tide");
    vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(AbortSignal.abort());
    expect(await search({ pattern: "tide" })).toEqual({
      files: [],
      note: "The search was stopped after 30 seconds. Narrow the path or the glob.",
    });
    const searching = call({ pattern: "tide" });
    tools().abort();
    expect(await searching).toMatchObject({ state: "cancelled" });
  });
});
