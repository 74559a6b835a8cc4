import * as z from "zod";
import { cutText } from "@/lib/cut-text";
import { readPdf } from "@/server/documents/read-document";
import { defineTool } from "@/server/tools/tool";
import { ToolFailure, silentResult, withTruncation } from "@/server/tools/tool-result";
import type { WorkspaceDeps } from "@/server/tools/workspace/workspace";
import { quotePath } from "@/server/tools/workspace/workspace-path";
import { describeBinary, isText } from "./file-text";
import { describePage } from "./page-note";

const DEFAULT_LINES = 1_000;
const MAX_LINES = 5_000;
/** Size of one page with line numbers: about 16,000 tokens. */
const MAX_PAGE_BYTES = 64 * 1024;

export const createReadFileTool = ({ openWorkspace }: WorkspaceDeps) =>
  defineTool({
    name: "read_file",
    description:
      "Reads a text file of this chat's workspace, or the text of a PDF. Each line comes with its number and a tab, which are not part of the file. Long files come in pages; the answer says where the next one begins.",
    example: { path: "notes.md" },
    agentTypes: ["explore"],
    input: z.object({
      path: z.string().min(1).describe("Relative to the workspace."),
      offset: z.int().min(1).optional().describe("The first line to read, counted from 1."),
      limit: z
        .int()
        .min(1)
        .max(MAX_LINES)
        .optional()
        .describe(`How many lines to read; ${DEFAULT_LINES} when left out.`),
    }),
    run: async (context, { path, offset = 1, limit = DEFAULT_LINES }) => {
      const bytes = await openWorkspace(context).read(path);
      const text = await toTextBytes(bytes, path, context.signal);
      if (text.length === 0) return silentResult("The file is empty.");
      const { lines, total } = readLines(text, offset, limit);
      if (offset > total) {
        return silentResult(`The file has only ${total} lines, so there is no line ${offset}.`);
      }
      const { page, isCut } = renderPage(lines, offset, total);
      return withTruncation(silentResult(page), isCut);
    },
  });

/** @returns UTF-8 without a byte order mark. @throws {ToolFailure} for a file that has no text. */
const toTextBytes = async (
  bytes: Uint8Array,
  path: string,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  if (startsWith(bytes, PDF_SIGNATURE)) {
    const document = await readPdf(bytes, signal);
    if ("failure" in document) {
      throw new ToolFailure(
        `The PDF ${quotePath(path)} could not be read: ${document.failure.replace(/\.$/, "")}.`,
      );
    }
    if (document.text !== "") return new TextEncoder().encode(document.text);
    throw new ToolFailure(`The PDF ${quotePath(path)} has no text: its pages may be images.`);
  }
  if (!isText(bytes)) throw new ToolFailure(await describeBinary(bytes, path));
  return startsWith(bytes, BYTE_ORDER_MARK) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
};

const PDF_SIGNATURE = new TextEncoder().encode("%PDF-");
const BYTE_ORDER_MARK = new TextEncoder().encode("\uFEFF");

const startsWith = (bytes: Uint8Array, signature: Uint8Array): boolean =>
  Buffer.compare(bytes.subarray(0, signature.length), signature) === 0;

const LINE_FEED = 0x0a;

/**
 * Decodes only the lines of the page: to split a whole file would block the process for long.
 * A trailing line break ends the last line and does not start another one.
 */
const readLines = (
  bytes: Uint8Array,
  first: number,
  limit: number,
): { lines: string[]; total: number } => {
  let breaks = 0;
  let [start, end] = [first === 1 ? 0 : bytes.length, bytes.length];
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== LINE_FEED) continue;
    breaks += 1;
    if (breaks === first - 1) start = at + 1;
    if (breaks === first - 1 + limit) end = at + 1;
  }
  const total = bytes.at(-1) === LINE_FEED ? breaks : breaks + 1;
  const lines = new TextDecoder().decode(bytes.subarray(start, end)).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return { lines, total };
};

/** @returns also whether the page has less than the lines that were asked for. */
const renderPage = (
  lines: string[],
  first: number,
  total: number,
): { page: string; isCut: boolean } => {
  const page: string[] = [];
  let remainingBytes = MAX_PAGE_BYTES;
  let isCut = false;
  for (const [index, line] of lines.entries()) {
    const whole = `${first + index}\t${line}`;
    const numbered = cutLine(whole);
    const size = Buffer.byteLength(numbered) + 1;
    isCut ||= numbered !== whole || size > remainingBytes;
    if (size > remainingBytes) break;
    remainingBytes -= size;
    page.push(numbered);
  }
  const note = describePage("Lines", { first, count: page.length, total });
  const text = page.join("\n");
  return { page: note === undefined ? text : `${text}\n\n${note}`, isCut };
};

/** Truncates a line that is longer than a page, because it could never be read otherwise. */
const cutLine = (line: string): string =>
  cutText(line, {
    maxBytes: MAX_PAGE_BYTES - 1,
    marker: (bytes) => `[… ${bytes} bytes of this line left out …]`,
  });
