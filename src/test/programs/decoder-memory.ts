import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fetch } from "undici";
import { readHtml, readPdf } from "@/server/documents/read-document";
import { createAnswerReader } from "@/server/model/xml/answer-reader";
import { ANY_SHAPE } from "@/server/model/value-shape";
import { toModelImage } from "@/server/tools/artifacts/model-image";
import { readBody } from "@/server/tools/web/read-body";

// A program that decodes a file eight times at once, and prints by how many bytes its memory has grown at most, besides the
// file itself, and what came of it. A process that had decoded others would have their memory to begin with.

const [kind = "", path = "", packing = "", times = "8"] = process.argv.slice(2);
const bytes = new Uint8Array(readFileSync(path));
const { signal } = new AbortController();

const ignore = (): void => undefined;
const readXml = (): string => {
  const sink = { text: ignore, startBlock: ignore, endBlock: ignore };
  const reader = createAnswerReader({ findShape: () => ANY_SHAPE, word: "" }, sink);
  reader.push(`\`\`\`xml\n${Buffer.from(bytes).toString()}\n\`\`\`\n`);
  return reader.end() ? "open" : "read";
};

const server = createServer((_request, response) => {
  response.setHeader("content-encoding", packing);
  response.end(bytes);
});

/** As a tool reads a body, of which it keeps 5 MB. */
const fetchBody = async (): Promise<string> => {
  const { port } = server.address() as AddressInfo;
  const body = await readBody(await fetch(`http://127.0.0.1:${port}/`), 5 * 1024 * 1024);
  return `${body.bytes.length} bytes`;
};

/** The system's own record, which `process.resourceUsage()` mixes with that of the process that has started this one. */
const readPeak = (): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1_024;

const describe = (result: { text: string } | { failure: string }): string =>
  "failure" in result ? result.failure : `${result.text.length} letters`;

const DECODERS: Record<string, () => Promise<string>> = {
  html: async () =>
    describe(await readHtml({ bytes, url: "https://a.example/", charset: undefined }, signal)),
  pdf: async () => describe(await readPdf(bytes, signal)),
  image: async () => {
    const { width, height } = await toModelImage(bytes);
    return `${width} × ${height}`;
  },
  xml: () => Promise.resolve(readXml()),
  body: fetchBody,
};

if (kind === "body")
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(0)));
const decode = DECODERS[kind] ?? (() => Promise.reject(new Error(`no decoder ${kind}`)));
const before = process.memoryUsage.rss();
const results = await Promise.allSettled(Array.from({ length: Number(times) }, decode));
const growth = readPeak() - before;
const outcomes = results.map((result) =>
  result.status === "fulfilled" ? result.value : (result.reason as Error).message,
);
process.stdout.write(`${JSON.stringify({ growth, outcomes })}\n`);
server.close();
