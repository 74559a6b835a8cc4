import { z } from "zod";
import { cutText } from "@/lib/cut-text";
import { defineTool } from "./tool";
import { ToolFailure, silentResult } from "./tool-result";
import type { WorkspaceDeps } from "./workspace";
import { quotePath } from "./workspace-path";

const DEFAULT_LINES = 1_000;
const MAX_LINES = 5_000;
/** Size of one page with line numbers: about 16,000 tokens. */
const MAX_PAGE_BYTES = 64 * 1024;
/** A NUL within these bytes marks a binary file; git checks as many. */
const BINARY_CHECK_BYTES = 8_000;

export const createReadFileTool = ({ openWorkspace }: WorkspaceDeps) =>
  defineTool({
    name: "read_file",
    description:
      "Reads a text file of this chat's workspace. Each line comes with its number and a tab, which are not part of the file. Long files come in pages; the answer says where the next one begins.",
    input: z.strictObject({
      path: z.string().min(1).describe("Relative to the workspace."),
      offset: z.int().min(1).nullish().describe("The first line to read, counted from 1."),
      limit: z
        .int()
        .min(1)
        .max(MAX_LINES)
        .nullish()
        .describe(`How many lines to read; ${DEFAULT_LINES} when left out.`),
    }),
    run: async (context, { path, offset, limit }) => {
      const text = decodeText(await openWorkspace(context).read(path), path);
      if (text === "") return silentResult("The file is empty.");
      const lines = splitLines(text);
      const first = offset ?? 1;
      if (first > lines.length) {
        return silentResult(
          `The file has only ${lines.length} lines, so there is no line ${first}.`,
        );
      }
      return silentResult(renderPage(lines, first, limit ?? DEFAULT_LINES));
    },
  });

const decodeText = (bytes: Uint8Array, path: string): string => {
  if (!bytes.subarray(0, BINARY_CHECK_BYTES).includes(0)) {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      // Reported below, as for every binary file.
    }
  }
  throw new ToolFailure(
    `${quotePath(path)} is no UTF-8 text but a binary file of ${bytes.length} bytes.`,
  );
};

/** A trailing line break ends the last line and does not start another one. */
const splitLines = (text: string): string[] => {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
};

const renderPage = (lines: string[], first: number, limit: number): string => {
  const page: string[] = [];
  let remainingBytes = MAX_PAGE_BYTES;
  for (const [index, line] of lines.slice(first - 1, first - 1 + limit).entries()) {
    const numbered = numberLine(first + index, line);
    const size = Buffer.byteLength(numbered) + 1;
    if (size > remainingBytes) break;
    remainingBytes -= size;
    page.push(numbered);
  }
  const last = first - 1 + page.length;
  const next =
    last < lines.length
      ? `Lines ${first} to ${last} of ${lines.length}; go on with offset ${last + 1}.`
      : first > 1
        ? `Lines ${first} to ${last} of ${lines.length}; this is the end.`
        : undefined;
  return next === undefined ? page.join("\n") : `${page.join("\n")}\n\n(${next})`;
};

/** Truncates a line that is longer than a page, because it could never be read otherwise. */
const numberLine = (number: number, line: string): string =>
  cutText(`${number}\t${line}`, {
    maxBytes: MAX_PAGE_BYTES - 1,
    marker: (bytes) => `[… ${bytes} bytes of this line left out …]`,
  });
