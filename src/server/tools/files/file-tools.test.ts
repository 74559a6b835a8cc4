import { execFileSync } from "node:child_process";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import { MAX_ARTIFACT_BYTES } from "@/contract/limits";
import { createPdf } from "@/test/create-pdf";
import { useFileTools } from "@/test/file-tools";

const tools = useFileTools();
const call = (name: string, args: { [key: string]: JsonValue }) => tools().call(name, args);
const getText = (name: string, args: { [key: string]: JsonValue }) =>
  tools().callForText(name, args);
const put = (path: string, content: string | Uint8Array) => tools().put(path, content);
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
/** Creates empty files whose names sort like their numbers. */
const createFiles = (count: number, directory = ".") => {
  const script = 'mkdir -p "$2"; seq -f "$2/f%06.0f" "$1" | xargs touch';
  execFileSync("sh", ["-c", script, "sh", String(count), directory], { cwd: tools().root });
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
    expect(tools().countTruncated()).toBe(0);
  });

  it("ends a page at its size after a whole line, so that the pages together are the file", async () => {
    const all = lines(2_000).map((line) => `${line} ${"x".repeat(100)}`);
    await put("a.txt", all.join("\n"));
    const seen: string[] = [];
    let [offset, pages] = [1, 0];
    while (offset > 0) {
      const output = await getText("read_file", { path: "a.txt", offset, limit: 5_000 });
      expect(Buffer.byteLength(output)).toBeLessThan(64 * 1024 + 100);
      const [page = ""] = output.split("\n\n(");
      pages += 1;
      seen.push(...page.split("\n").map((line) => line.split("\t")[1] ?? ""));
      offset = Number(/offset (\d+)/.exec(output)?.[1] ?? 0);
    }
    expect(seen).toEqual(all);
    // The last page has all lines that were asked for.
    expect(tools().countTruncated()).toBe(pages - 1);
  });

  it("truncates the middle of a line that is longer than a page, and continues after it", async () => {
    await put("a.txt", `${"é".repeat(100_000)}\n${"last".repeat(100)}`);
    const first = await getText("read_file", { path: "a.txt" });
    expect(first).toMatch(
      /^1\té+\[… \d+ bytes of this line left out …\]é+\n\n\(Lines 1 to 1 of 2; go on with offset 2\.\)$/,
    );
    expect(tools().countTruncated()).toBe(1);
    expect((await read({ offset: 2 })).output).toMatch(/^2\tlast/);
    expect(tools().countTruncated()).toBe(1);
  });

  it("shows the text of a PDF, with its pages, in pages of lines", async () => {
    await put("a.txt", createPdf({ pages: ["High at six", "Low at noon"] }));
    expect((await read()).output).toBe(
      "1\t--- Page 1 of 2 ---\n2\tHigh at six\n3\t\n4\t--- Page 2 of 2 ---\n5\tLow at noon",
    );
    expect((await read({ offset: 5 })).output).toMatch(/^5\tLow at noon\n/);
  });

  it.each([
    ["is damaged", "%PDF-1.7 nothing", /^The PDF "a.txt" could not be read: .*\.$/],
    ["has no text", createPdf({ pages: [""] }), /"a.txt" has no text: its pages may be images/],
  ])("is an error for a PDF that %s", async (_what, content, message) => {
    await put("a.txt", content);
    const outcome = await read();
    expect(outcome).toMatchObject({ state: "error", isError: true });
    expect(outcome.output).toMatch(message);
  });

  it("leaves out a byte order mark", async () => {
    await put("a.txt", "\uFEFFone\n");
    expect((await read()).output).toBe("1\tone");
  });

  it.each<[string, Uint8Array, RegExp]>([
    ["an image", PNG, /"a.txt" is an image \(image\/png, \d+ bytes\).*load_image/],
    ["an archive", Buffer.from("1f8b080000000000", "hex"), /is a binary file \(application\/gzip/],
  ])("says what %s is", async (_what, content, message) => {
    await put("a.txt", content);
    const outcome = await read();
    expect(outcome).toMatchObject({ state: "error", isError: true });
    expect(outcome.output).toMatch(message);
  });

  it("refuses a file of a terabyte, a named pipe and a device at once", async () => {
    execFileSync("truncate", ["-s", "1T", join(tools().root, "sparse")]);
    execFileSync("mkfifo", [join(tools().root, "pipe")]);
    expect((await call("read_file", { path: "sparse" })).output).toMatch(/has 1099511627776 bytes/);
    expect((await call("read_file", { path: "pipe" })).output).toMatch(/not a regular file/);
    expect((await call("read_file", { path: "/dev/zero" })).output).toMatch(/absolute/);
    await symlink("/dev/zero", join(tools().root, "zero"));
    expect((await call("read_file", { path: "zero" })).output).toMatch(/leads out of/);
  });

  it.each<[string, Uint8Array]>([
    ["a NUL", Buffer.from("text\0more")],
    ["bytes that are no UTF-8", Buffer.from([0x66, 0xff, 0xfe, 0x6f])],
  ])("refuses a file with %s as binary", async (_what, content) => {
    await put("a.txt", content);
    const outcome = await read();
    expect(outcome).toMatchObject({ state: "error", isError: true });
    expect(outcome.output).toMatch(/"a\.txt" is not UTF-8 text but a binary file of \d+ bytes/);
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

  const source = "type Login = { password: string };\nconst apiKey = process.env.API_KEY;\n";

  it("writes back source code as the model has read it", async () => {
    await put("login.ts", source);
    const read = await getText("read_file", { path: "login.ts" });
    const content = `${read.replaceAll(/^\d+\t/gm, "")}\n`;
    await call("write_file", { path: "login.ts", content, overwrite: true });
    expect(await readFile(join(tools().root, "login.ts"), "utf8")).toBe(source);
  });

  it("refuses a text in which a secret was masked, and changes nothing", async () => {
    const secret = "sk-proj-abcdefghij0123456789";
    await put("keys.ts", `const key = "${secret}";\n`);
    const content = (await getText("read_file", { path: "keys.ts" })).replace("1\t", "");
    expect(content).toBe('const key = "[redacted]";');
    const refused = await call("write_file", { path: "keys.ts", content, overwrite: true });
    expect(refused).toMatchObject({ state: "error", isError: true });
    expect(refused.output).toMatch(/"keys.ts" was not written.*"\[redacted\]".*ask the user/);
    expect(await readFile(join(tools().root, "keys.ts"), "utf8")).toContain(secret);
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
    expect(await readFile(join(tools().root, "a.txt"), "utf8")).toBe(content);
  });

  it("needs a content", async () => {
    expect(await call("write_file", { path: "a.txt" })).toMatchObject({ state: "error" });
  });
});

describe("list_directory", () => {
  it("shows directories, files with sizes and links, by name", async () => {
    await mkdir(join(tools().root, "src"));
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

  it("comes in pages of 500 entries, which together are the directory", async () => {
    createFiles(1_203);
    const seen: string[] = [];
    for (let offset = 1; offset > 0;) {
      const [page = "", note = ""] = (await getText("list_directory", { offset })).split("\n\n");
      seen.push(...page.split("\n"));
      offset = Number(/offset (\d+)/.exec(note)?.[1] ?? 0);
    }
    expect(seen).toHaveLength(1_203);
    expect(seen).toEqual(seen.toSorted());
    expect(await getText("list_directory", { offset: 1_202, limit: 1 })).toBe(
      "f001202 (0 bytes)\n\n(Entries 1202 to 1202 of 1203; go on with offset 1203.)",
    );
    expect(await getText("list_directory", { offset: 1_204 })).toBe(
      "The directory has only 1203 entries, so there is no entry 1204.",
    );
  });

  it("is an error for a file, and for a directory that does not exist", async () => {
    await put("a.txt", "");
    expect(await call("list_directory", { path: "a.txt" })).toMatchObject({ state: "error" });
    expect(await call("list_directory", { path: "none" })).toMatchObject({ state: "error" });
  });
});

describe("append_file", () => {
  const append = (path: string, content: string) => call("append_file", { path, content });

  it("creates a file, and adds to the end of one without changing what is there", async () => {
    expect(await append("d/a.txt", "one\r\n")).toMatchObject({
      state: "completed",
      output: 'Created "d/a.txt": 5 bytes.',
    });
    expect((await append("d/a.txt", "zwölf")).output).toBe(
      'Added 6 bytes to "d/a.txt", which now has 11.',
    );
    expect(await readFile(join(tools().root, "d/a.txt"), "utf8")).toBe("one\r\nzwölf");
  });

  it("loses nothing of calls at the same time", async () => {
    await Promise.all(Array.from({ length: 20 }, (_, at) => append("log", `line ${at}\n`)));
    const all = (await readFile(join(tools().root, "log"), "utf8")).trim().split("\n");
    expect(all.toSorted()).toEqual(
      lines(20)
        .map((_, at) => `line ${at}`)
        .toSorted(),
    );
  });

  it("refuses a masked secret, nothing, and a file that is too large, and changes nothing", async () => {
    await put("a.txt", "old");
    execFileSync("truncate", ["-s", "1T", join(tools().root, "sparse")]);
    for (const [path, content] of [
      ["a.txt", "key = [redacted]"],
      ["a.txt", ""],
      ["a.txt", "x".repeat(MAX_ARTIFACT_BYTES)],
      ["sparse", "x"],
      ["../a.txt", "x"],
      ["a.txt/b", "x"],
    ] as const) {
      expect(await append(path, content)).toMatchObject({ state: "error", isError: true });
    }
    expect(await readFile(join(tools().root, "a.txt"), "utf8")).toBe("old");
  });
});
