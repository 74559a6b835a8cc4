import { execFileSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import { createPdf } from "@/test/create-pdf";
import { measureMedian } from "@/test/cpu-time";
import { MAX_BLOCKING, measureBlocking } from "@/test/event-loop";
import { useFileTools } from "@/test/file-tools";

const tools = useFileTools();
const call = (name: string, args: { [key: string]: JsonValue }) => tools().call(name, args);
const getText = (name: string, args: { [key: string]: JsonValue }) =>
  tools().callForText(name, args);

/** Creates empty files whose names sort like their numbers. */
const createFiles = (count: number, directory = ".") => {
  const script = 'mkdir -p "$2"; seq -f "$2/f%06.0f" "$1" | xargs touch';
  execFileSync("sh", ["-c", script, "sh", String(count), directory], { cwd: tools().root });
};

/** Runs tools several times. @returns the median of how long they blocked the event loop. */
const measure = (what: string, body: () => Promise<unknown>): Promise<number> =>
  measureMedian(`${what}, blocking`, () => measureBlocking(body));

it("a PDF of 100 pages and 10 MB of lines are read without blocking the process", async () => {
  const pages = Array.from({ length: 100 }, (_, at) => `Page ${at}`);
  await tools().put("a.pdf", createPdf({ pages }));
  await tools().put("a.txt", "a\n".repeat(5 * 1024 * 1024));
  const blocking = await measure("read_file", async () => {
    expect(await getText("read_file", { path: "a.pdf" })).toContain("Page 100 of 100");
    expect(await getText("read_file", { path: "a.txt", offset: 5_242_880 })).toMatch(
      /^5242880\ta\n/,
    );
  });
  expect(blocking).toBeLessThan(MAX_BLOCKING);
});

it("10,000 entries are paged through without blocking the process", async () => {
  createFiles(10_000);
  const blocking = await measure("list_directory", async () => {
    expect(await getText("list_directory", { offset: 9_991 })).toMatch(
      /^f009991 \(0 bytes\)\n(f.*\n){9}\n\(Entries 9991 to 10000 of 10000; this is the end\.\)$/,
    );
  });
  expect(blocking).toBeLessThan(MAX_BLOCKING);
});

it("a directory of 100,000 files is listed, moved and deleted without blocking the process", async () => {
  createFiles(100_000, "huge");
  const work = async () => {
    const page = await getText("list_directory", { path: "huge", offset: 99_501 });
    expect(page).toMatch(/^f099501 .*\(Entries 99501 to 100000 of 100000; this is the end\.\)$/s);
    expect(await getText("list_directory", { path: "huge" })).toContain("of 100000; go on");
    expect(await getText("append_file", { path: "new.txt", content: "x" })).toMatch(
      /^The workspace is full: it holds 10000 files/,
    );
    const moved = await call("move_file", { from: "huge", to: "old" });
    expect(moved).toMatchObject({ state: "completed" });
    const deleted = await call("delete_file", { path: "old", recursive: true });
    expect(deleted).toMatchObject({ state: "completed" });
  };
  // Creating the files takes the most time, so that there is one round.
  const blocking = await measureMedian("100,000 files, blocking", () => measureBlocking(work), 1);
  expect(blocking).toBeLessThan(MAX_BLOCKING);
  expect(await readdir(tools().root)).toEqual([]);
});

it("lines are found among 10,000 files without blocking the process", async () => {
  execFileSync(
    "sh",
    ["-c", 'mkdir -p d; seq -f "d/f%05.0f" 10000 | while read f; do echo tide > $f; done'],
    { cwd: tools().root },
  );
  const blocking = await measure("search_files", async () => {
    const { output } = await call("search_files", { pattern: "tide" });
    expect(output).toHaveProperty("files.length", 100);
  });
  expect(blocking).toBeLessThan(MAX_BLOCKING);
});

it("texts that are slow to search do not block the process", async () => {
  await tools().put("a.txt", "a".repeat(2 * 1024 * 1024));
  const edit = (edits: JsonValue) => getText("edit_file", { path: "a.txt", edits });
  const slow = { old_text: `${"a".repeat(30_000)}b${"a".repeat(30_000)}`, new_text: "x" };
  const blocking = await measure("edit_file", async () => {
    expect(await edit([slow])).toMatch(/was not found/);
    expect(await edit([{ old_text: "a", new_text: "b", replace_all: true }])).toMatch(
      /occurs more than 10000 times/,
    );
  });
  expect(blocking).toBeLessThan(MAX_BLOCKING);
});
