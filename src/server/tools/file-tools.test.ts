import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import { callTool, emptyToolDeps, recordedDeps, workspaceOptions } from "@/test/tool-fixture";
import { createTools } from "./registry";
import { openWorkspace } from "./workspace";

const ROOT_CHAT = "0197b1c0-0000-7000-8000-000000000001";
let dataDir: string;
let root: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parley-tools-"));
  root = join(dataDir, "workspaces", ROOT_CHAT);
  await mkdir(root, { recursive: true });
});

afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

const call = (name: string, args: JsonValue) => {
  const recorded = recordedDeps({ step: { rootChatId: ROOT_CHAT }, maxOutputBytes: 1024 * 1024 });
  const tools = createTools({
    ...emptyToolDeps,
    openWorkspace: ({ rootChatId }) => openWorkspace(workspaceOptions(dataDir), rootChatId),
  });
  return callTool({ name, args, tools: Object.values(tools) }, recorded);
};

const put = (name: string, content: string | Uint8Array) => writeFile(join(root, name), content);
const textOf = async (outcome: ReturnType<typeof call>): Promise<string> => {
  const { output } = await outcome;
  if (typeof output !== "string") throw new TypeError("the output is no text");
  return output;
};
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

describe("read_file", () => {
  const read = async (args: { [key: string]: JsonValue } = {}) =>
    call("read_file", { path: "a.txt", ...args });

  it.each<[what: string, content: string, args: { [key: string]: JsonValue }, output: string]>([
    ["a file", "one\ntwo\n", {}, "1\tone\n2\ttwo"],
    ["a file without a last line break", "one\ntwo", {}, "1\tone\n2\ttwo"],
    ["an empty file", "", {}, "The file is empty."],
    ["a file of one empty line", "\n", {}, "1\t"],
    ["empty lines at the end", "one\n\n", {}, "1\tone\n2\t"],
    ["null for what is left out", "one\n", { offset: null, limit: null }, "1\tone"],
    [
      "a page in the middle",
      lines(5).join("\n"),
      { offset: 2, limit: 2 },
      "2\tline 2\n3\tline 3\n\n(Lines 2 to 3 of 5; go on with offset 4.)",
    ],
    [
      "the last page",
      lines(5).join("\n"),
      { offset: 4, limit: 2 },
      "4\tline 4\n5\tline 5\n\n(Lines 4 to 5 of 5; this is the end.)",
    ],
    ["a page that ends with the file", lines(2).join("\n"), { limit: 2 }, "1\tline 1\n2\tline 2"],
    [
      "the first line after the end",
      lines(5).join("\n"),
      { offset: 6 },
      "The file has only 5 lines, so there is no line 6.",
    ],
    ["carriage returns and wide characters", "é\r\n😀", {}, "1\té\r\n2\t😀"],
    ["a literal backslash n", "a\\nb", {}, "1\ta\\nb"],
  ])("shows %s", async (_what, content, args, output) => {
    await put("a.txt", content);
    expect(await read(args)).toMatchObject({ state: "completed", silent: true, output });
  });

  it("ends a page at 1,000 lines and says where the next one begins", async () => {
    await put("a.txt", lines(1_001).join("\n"));
    const { output } = await read();
    expect(output).toMatch(
      /\n1000\tline 1000\n\n\(Lines 1 to 1000 of 1001; go on with offset 1001\.\)$/,
    );
  });

  it("ends a page at its size after a whole line, so that the pages together are the file", async () => {
    const all = lines(2_000).map((line) => `${line} ${"x".repeat(100)}`);
    await put("a.txt", all.join("\n"));
    const seen: string[] = [];
    let offset = 1;
    while (offset > 0) {
      const output = await textOf(read({ offset, limit: 5_000 }));
      expect(Buffer.byteLength(output)).toBeLessThan(64 * 1024 + 100);
      const [page = ""] = output.split("\n\n(");
      seen.push(...page.split("\n").map((line) => line.split("\t")[1] ?? ""));
      offset = Number(/offset (\d+)/.exec(output)?.[1] ?? 0);
    }
    expect(seen).toEqual(all);
  });

  it("truncates the middle of a line that is longer than a page, and continues after it", async () => {
    await put("a.txt", `${"é".repeat(100_000)}\n${"last".repeat(100)}`);
    const first = await textOf(read());
    expect(first).toMatch(
      /^1\té+\[… \d+ bytes of this line left out …\]é+\n\n\(Lines 1 to 1 of 2; go on with offset 2\.\)$/,
    );
    expect((await read({ offset: 2 })).output).toMatch(/^2\tlast/);
  });

  it.each<[string, Uint8Array]>([
    ["a NUL", Buffer.from("text\0more")],
    ["bytes that are no UTF-8", Buffer.from([0x66, 0xff, 0xfe, 0x6f])],
  ])("refuses a file with %s as binary", async (_what, content) => {
    await put("a.txt", content);
    const outcome = await read();
    expect(outcome).toMatchObject({ state: "error", isError: true });
    expect(outcome.output).toMatch(/"a\.txt" is no UTF-8 text but a binary file of \d+ bytes/);
  });

  it.each<[string, { [key: string]: JsonValue }]>([
    ["offset 0", { offset: 0 }],
    ["a negative limit", { limit: -1 }],
    ["a limit beyond the most", { limit: 5_001 }],
    ["half a line", { offset: 1.5 }],
    ["text for a number", { offset: "1" }],
  ])("refuses %s", async (_what, args) => {
    await put("a.txt", "one");
    expect(await read(args)).toMatchObject({ state: "error", isError: true });
  });

  it("is an error for a file that does not exist, and for a path out of the workspace", async () => {
    expect((await read({ path: "none" })).output).toBe('"none" does not exist.');
    expect((await read({ path: "../../x" })).output).toMatch(/inside the workspace/);
  });
});

describe("write_file", () => {
  it("creates a file, keeps it without overwrite, and replaces it with overwrite", async () => {
    const created = await call("write_file", { path: "d/a.txt", content: "héllo" });
    expect(created).toMatchObject({ state: "completed", output: 'Created "d/a.txt": 6 bytes.' });

    const refused = await call("write_file", { path: "d/a.txt", content: "x", overwrite: null });
    expect(refused).toMatchObject({ state: "error", isError: true });
    expect((await call("read_file", { path: "d/a.txt" })).output).toBe("1\théllo");

    const replaced = await call("write_file", { path: "d/a.txt", content: "", overwrite: true });
    expect(replaced).toMatchObject({ state: "completed", output: 'Replaced "d/a.txt": 0 bytes.' });
  });

  it("shows the person what changed, and the model only that it did", async () => {
    await put("a.txt", "one\ntwo\n");
    const outcome = await call("write_file", {
      path: "a.txt",
      content: "one\n2\n",
      overwrite: true,
    });
    expect(outcome).toMatchObject({
      output: 'Replaced "a.txt": 6 bytes.',
      forUser: "```diff\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n```",
    });
  });

  it("replaces a binary file without showing what it was", async () => {
    await put("a.bin", Buffer.from([0xff, 0xfe]));
    const outcome = await call("write_file", { path: "a.bin", content: "text", overwrite: true });
    expect(outcome).toMatchObject({ state: "completed", forUser: null });
  });

  it.each([
    ["carriage returns", "a\r\nb\r\n"],
    ["a literal backslash n", "a\\nb"],
    ["no last line break", "a"],
  ])("keeps %s as they are", async (_what, content) => {
    await call("write_file", { path: "a.txt", content });
    expect(
      new TextDecoder().decode(
        await openWorkspace(workspaceOptions(dataDir), ROOT_CHAT).read("a.txt"),
      ),
    ).toBe(content);
  });

  it("needs a content", async () => {
    expect(await call("write_file", { path: "a.txt" })).toMatchObject({ state: "error" });
  });
});

describe("list_directory", () => {
  it("shows directories, files with sizes and links, by name", async () => {
    await mkdir(join(root, "src"));
    await put("b.txt", "12");
    await put("a.txt", "");
    expect(await call("list_directory", {})).toMatchObject({
      state: "completed",
      silent: true,
      output: "a.txt (0 bytes)\nb.txt (2 bytes)\nsrc/",
    });
    expect((await call("list_directory", { path: "src" })).output).toBe("The directory is empty.");
  });

  it("does not let a name look like two", async () => {
    await put("a\nb (5 bytes)", "");
    expect((await call("list_directory", { path: null })).output).toBe(
      '"a\\nb (5 bytes)" (0 bytes)',
    );
  });

  it("shows 500 entries and counts the others", async () => {
    await Promise.all(Array.from({ length: 503 }, (_, index) => put(`f${index}`, "")));
    const output = (await textOf(call("list_directory", {}))).split("\n");
    expect(output).toHaveLength(501);
    expect(output.at(-1)).toBe("(3 more entries)");
  });

  it("is an error for a file, and for a directory that does not exist", async () => {
    await put("a.txt", "");
    expect(await call("list_directory", { path: "a.txt" })).toMatchObject({ state: "error" });
    expect(await call("list_directory", { path: "none" })).toMatchObject({ state: "error" });
  });
});
