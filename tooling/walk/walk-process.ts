// npm run walk [-- --list]: how many functions and files of the server one message runs; with --list, which.
// Bundled and started by scripts/walk.mjs.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { startApi } from "@/server/api/start-api";
import { appApi } from "@/server/api/process-api";
import { serveRest } from "@/server/http/serve-rest";
import { markReady } from "@/server/stream/readiness";
import { sendEvents, startStubServer } from "@/test/stub-server";
import { recordFunctions, type RunFunction } from "./count-functions";

const FOLDER = "src/server/";

/** The answer of the scripted model, as a provider streams it. */
const ANSWER = [
  ...["One ", "short ", "answer."].map((content) => ({ choices: [{ delta: { content } }] })),
  {
    choices: [{ delta: {}, finish_reason: "stop" }],
    usage: { prompt_tokens: 10, completion_tokens: 3 },
  },
  "[DONE]",
];

/** Starts a process with the embedded database, as the server does. @returns a function that sends one message. */
const startProcess = async (dataDir: string) => {
  const provider = await startStubServer((response) => {
    sendEvents(response, ANSWER);
    response.end();
  });
  const apiKey = randomBytes(32).toString("base64url");
  // The settings of the person who runs this must not change the figure.
  for (const name of Object.keys(process.env)) {
    if (/^PARLEY_|^DATABASE_URL$|_API_KEY$/.test(name)) delete process.env[name];
  }
  Object.assign(process.env, {
    LOG_LEVEL: "error",
    OPENAI_COMPATIBLE_BASE_URL: `${provider.url}/v1`,
    PARLEY_API_KEY: apiKey,
    PARLEY_DATA_DIR: dataDir,
    PARLEY_MODELS: "openai-compatible/scripted",
    PARLEY_OWNER_EMAIL: "owner@example.org",
    PARLEY_OWNER_PASSWORD: randomBytes(12).toString("base64url"),
    // One message and one answer, without the request for a title beside it.
    PARLEY_TITLES: "off",
  });
  await startApi();
  markReady();
  const server = createServer((request, response) => {
    serveRest(appApi().handleRest, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return async (): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/chats`, {
      method: "POST",
      headers: {
        accept: "text/event-stream",
        authorization: `Bearer ${apiKey}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ content: "Hello" }),
    });
    // The stream ends with the turn.
    const events = await response.text();
    if (!events.includes("One short answer.")) throw new Error(`no answer came:\n${events}`);
  };
};

const groupBy = (functions: RunFunction[], toKey: (file: string) => string) =>
  [...Map.groupBy(functions, ({ file }) => toKey(file))].sort(([a], [b]) => a.localeCompare(b));

const printList = (functions: RunFunction[]): void => {
  for (const [folder, ran] of groupBy(functions, dirname)) {
    const files = groupBy(ran, basename);
    console.log(`\n${folder}: ${ran.length} in ${files.length}`);
    for (const [file, inFile] of files) {
      console.log(`  ${file}: ${inFile.map(({ name }) => name).join(", ")}`);
    }
  }
};

const dataDir = mkdtempSync(join(tmpdir(), "parley-walk-"));
try {
  const sendMessage = await startProcess(dataDir);
  const ran = await recordFunctions({ bundle: import.meta.url, folder: FOLDER }, sendMessage);
  const files = new Set(ran.map(({ file }) => file));
  console.log(`One message runs ${ran.length} functions in ${files.size} files of ${FOLDER}`);
  if (process.argv.includes("--list")) printList(ran);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit();
