// An MCP server on standard input and output that asks what its caller says, and returns the answers.
import { createInterface } from "node:readline";

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const tool = (name) => ({ name, inputSchema: { type: "object" } });
const text = (value) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });

/** Requests to the client, by their ids. */
const waiting = new Map();
const request = (method, params) => {
  const id = `q${waiting.size}`;
  send({ id, method, params });
  return { id, response: new Promise((resolve) => waiting.set(id, resolve)) };
};

const CALLS = {
  /** Asks for each of `questions`, one after another. */
  ask: async ({ questions, method = "elicitation/create" }) => {
    const responses = [];
    for (const params of questions) responses.push(await request(method, params).response);
    return text(responses);
  },
  /** Takes its question back after `ms`. */
  withdraw: async ({ question, ms }) => {
    const { id } = request("elicitation/create", question);
    await new Promise((resolve) => setTimeout(resolve, ms));
    send({ method: "notifications/cancelled", params: { requestId: id, reason: "too late" } });
    return text("went on");
  },
  hang: () => new Promise(() => undefined),
};

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) return waiting.get(id)?.({ result, error });
  if (id === undefined) return undefined;
  if (method === "initialize") {
    const { protocolVersion } = params;
    const serverInfo = { name: "asking", version: "1" };
    return send({ id, result: { protocolVersion, serverInfo, capabilities: { tools: {} } } });
  }
  if (method === "tools/list") return send({ id, result: { tools: Object.keys(CALLS).map(tool) } });
  return send({ id, result: await CALLS[params.name](params.arguments) });
});
