import { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";
import type { ToolProtocol } from "@/contract/model";
import { createModelRegistry } from "@/server/model/catalog/model-registry";
import type { ChatModel } from "@/server/model/model-step";

/** Reads a request and answers as `reply` does, which gets the text of the body and what sends a chunk with a delta. */
const createProgram = (reply: string): string => `
const { createServer } = require("node:http");
const { parentPort } = require("node:worker_threads");
const reply = ${reply};
const server = createServer((req, res) => {
  const chunks = []; req.on("data", (chunk) => chunks.push(chunk));
  req.on("end", () => {
    const send = (delta, finish_reason = null) => res.write("data: " + JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] }) + "\\n\\n");
    res.writeHead(200, { "content-type": "text/event-stream" });
    reply(Buffer.concat(chunks).toString(), send);
    res.end("data: [DONE]\\n\\n");
  });
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

/**
 * Starts a provider in a thread of its own, whose CPU time does not count in that of the test.
 *
 * @param reply the source of a function.
 * @returns what creates its models.
 */
export const startProviderThread = async (
  reply: string,
): Promise<(toolProtocol: ToolProtocol) => ChatModel> => {
  const worker = new Worker(createProgram(reply), { eval: true });
  onTestFinished(async () => void (await worker.terminate()));
  const port = await new Promise<number>((resolve) => worker.once("message", resolve));
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const registry = createModelRegistry({ "openai-compatible": { baseUrl } });
  return (toolProtocol) =>
    registry.toChatModel({
      provider: "openai-compatible",
      model: toolProtocol,
      toolProtocol,
      contextLimit: null,
      prices: null,
    });
};
