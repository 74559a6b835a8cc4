import fc from "fast-check";
import { execFileSync } from "node:child_process";
import { readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import { useFileTools } from "@/test/file-tools";
import { applyEdits, type TextEdit } from "./apply-edits";

const tools = useFileTools();
const edit = (edits: JsonValue, path = "a.txt") => tools().call("edit_file", { path, edits });
const content = () => readFile(join(tools().root, "a.txt"), "utf8");
const replace = (old_text: string, new_text: string) => ({ old_text, new_text });

describe("edit_file", () => {
  it("makes all edits in order, and shows the person what changed", async () => {
    await tools().put("a.txt", "one\ntwo\nthree\n");
    const outcome = await edit([replace("two", "2"), replace("2\nthree", "2\n3")]);
    expect(outcome).toMatchObject({
      state: "completed",
      output: 'Edited "a.txt": 2 replacements.',
      forUser: "```diff\n@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+3\n```",
    });
    expect(await content()).toBe("one\n2\n3\n");
  });

  it("makes no edit when one of them does not apply", async () => {
    await tools().put("a.txt", "one\ntwo\n");
    const outcome = await edit([replace("one", "1"), replace("three", "3")]);
    expect(outcome).toMatchObject({ state: "error", isError: true, forUser: null });
    expect(outcome.output).toMatch(/^No edit was made: old_text of edit 2 was not found/);
    expect(await content()).toBe("one\ntwo\n");
  });

  it("names the places when a text is ambiguous, and what to do", async () => {
    await tools().put("a.txt", `${"x = 1;\n".repeat(7)}  return x;\n`);
    expect((await edit([replace("x = 1", "x = 2")])).output).toBe(
      [
        "No edit was made: old_text occurs 7 times, not 1.",
        ...[1, 2, 3, 4, 5].map((line) => `line ${line}: "x = 1;"`),
        "and 2 more",
        "Add lines around it so that it occurs once, or set replace_all or expected_count.",
      ].join("\n"),
    );
  });

  it("replaces all, or as many as are expected", async () => {
    await tools().put("a.txt", "a b a b a");
    const refused = await edit([{ ...replace("b", "c"), expected_count: 3 }]);
    expect(refused.output).toMatch(/old_text occurs 2 times, not 3.*Set expected_count to 2/s);
    const outcome = await edit([
      { ...replace("b", "c"), expected_count: 2, replace_all: null },
      { ...replace("a", ""), replace_all: true },
    ]);
    expect(outcome.output).toBe('Edited "a.txt": 5 replacements.');
    expect(await content()).toBe(" c  c ");
  });

  it("shows where the first line is when only what follows differs", async () => {
    await tools().put("a.txt", "if (a) {\n\treturn;\n}\n");
    expect((await edit([replace("if (a) {\n  return;", "x")])).output).toMatch(
      /was not found.*white space differs:\nline 1: "if \(a\) \{"/s,
    );
  });

  it.each([
    ["CRLF", "\uFEFFone\r\ntwo\r\nthree\r\n", "\uFEFF1\r\n2\r\nthree\r\n"],
    ["LF", "\uFEFFone\ntwo\nthree", "\uFEFF1\n2\nthree"],
    ["mixed line ends", "one\r\ntwo\nthree\r\n", "1\r\n2\nthree\r\n"],
  ])("keeps the byte order mark and %s", async (_what, before, after) => {
    await tools().put("a.txt", before);
    expect(await edit([replace("one\ntwo", "1\n2")])).toMatchObject({ state: "completed" });
    expect(await content()).toBe(after.replace("1\r\n2\n", "1\r\n2\n"));
  });

  it("keeps CRLF when the model writes it, and writes LF to a file of LF", async () => {
    await tools().put("a.txt", "one\r\ntwo\r\n");
    await edit([replace("one\r\ntwo\r\n", "1\r\n2\r\n3\n")]);
    expect(await content()).toBe("1\r\n2\r\n3\r\n");
    await tools().put("a.txt", "one\ntwo\n");
    await edit([replace("one\r\n", "1\r\n")]);
    expect(await content()).toBe("1\ntwo\n");
  });

  it.each<[what: string, edits: JsonValue]>([
    ["no edits", []],
    ["an empty old_text", [replace("", "x")]],
    ["a missing new_text", [{ old_text: "one" }]],
    ["no list", "one"],
    ["a count of nothing", [{ ...replace("one", "1"), expected_count: 0 }]],
    ["too many edits", Array.from({ length: 101 }, () => replace("one", "one"))],
    ["a masked secret", [replace("one", "key = [redacted]")]],
    ["half a character", [replace("one", "\ud83d")]],
    [
      "a result that is too large",
      [{ ...replace("o", "x".repeat(8 * 1024 * 1024)), replace_all: true }],
    ],
  ])("refuses %s, and changes nothing", async (_what, edits) => {
    await tools().put("a.txt", "one\no");
    expect(await edit(edits)).toMatchObject({ state: "error", isError: true });
    expect(await content()).toBe("one\no");
    expect(await readdir(tools().root)).toEqual(["a.txt"]);
  });

  it("refuses what is no text file, and what is outside", async () => {
    const { root, outside } = tools();
    await writeFile(join(outside, "secret"), "one");
    await symlink(join(outside, "secret"), join(root, "link"));
    await tools().put("image", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"));
    await tools().put("large", "one".repeat(1024 * 1024));
    execFileSync("mkfifo", [join(root, "pipe")]);
    execFileSync("truncate", ["-s", "1T", join(root, "sparse")]);
    for (const [path, message] of [
      ["none/a.txt", /does not exist/],
      ["link", /leads out of the workspace/],
      ["../outside/secret", /inside the workspace/],
      ["image", /is an image \(image\/png/],
      ["large", /files of more than 2097152 bytes are not edited/],
      ["pipe", /not a regular file/],
      ["sparse", /not read/],
      [".", /workspace itself|is a directory/],
    ] as const) {
      const outcome = await edit([replace("one", "1")], path);
      expect(outcome).toMatchObject({ state: "error", isError: true });
      expect(outcome.output).toMatch(message);
    }
    expect(await readFile(join(outside, "secret"), "utf8")).toBe("one");
    expect(await readdir(root)).not.toContain("none");
  });

  it("loses nothing of calls at the same time", async () => {
    await tools().put("a.txt", "0;1;2;3;4;5;6;7;8;9;");
    await Promise.all(Array.from({ length: 10 }, (_, at) => edit([replace(`${at};`, `${at}!`)])));
    expect(await content()).toBe("0!1!2!3!4!5!6!7!8!9!");
  });
});

it("finds the same places as a plain search, in texts of few letters and of both line ends", async () => {
  const letters = fc.constantFrom("a", "b", "\n", "\r\n");
  const text = (maxLength: number) =>
    fc.array(letters, { minLength: 1, maxLength }).map((all) => all.join(""));
  await fc.assert(
    fc.asyncProperty(text(30), text(3), text(3), async (before, old_text, new_text) => {
      const edits: TextEdit[] = [{ old_text, new_text, replace_all: true }];
      const toLf = (value: string) => value.replaceAll("\r\n", "\n");
      const expected = toLf(before).replaceAll(toLf(old_text), () => toLf(new_text));
      if (!toLf(before).includes(toLf(old_text))) {
        await expect(applyEdits(before, edits)).rejects.toThrow("not found");
        return;
      }
      const { text: after } = await applyEdits(before, edits);
      expect(toLf(after)).toBe(expected);
      // A file of one kind of line ends has only that kind afterwards.
      if (!/(^|[^\r])\n/.test(before))
        expect(after).not.toMatch(before.includes("\n") ? /(^|[^\r])\n/ : /\r/);
    }),
    { numRuns: 2_000 },
  );
});
