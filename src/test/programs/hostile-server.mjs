// An MCP server on standard input and output that does what a bad one may do.
import { createInterface } from "node:readline";

const MEGABYTE = 1024 * 1024;
const [, , mode = ""] = process.argv;

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const tool = (name, rest = {}) => ({ name, inputSchema: { type: "object" }, ...rest });

const named = [
  tool("die", { annotations: { readOnlyHint: true } }),
  tool("hang"),
  tool("big"),
  tool("files"),
  tool("refuse"),
  tool("a.b"),
  tool("a b"),
  tool("a_b"),
  tool("same", { description: "first" }),
  tool("same", { description: "second" }),
  tool("x".repeat(100)),
  tool("__proto__"),
  tool("deep", { inputSchema: nest(40) }),
  tool("large", { inputSchema: { type: "object", description: "d".repeat(100_000) } }),
];

function nest(depth) {
  return depth === 0
    ? { type: "string" }
    : { type: "object", properties: { next: nest(depth - 1) } };
}

/** Lists in pages, by the mode. */
const LISTS = {
  endless: { pages: Infinity, perPage: 1 },
  many: { pages: 2, perPage: 5_000 },
  crowd: { pages: 3, perPage: 5_000 },
  heavy: { pages: 4, perPage: 8, description: "d".repeat(MEGABYTE) },
};

/** What the mode "growing" has grown to: it lists one tool and one prompt more after each call, one per page. */
let size = 1;
const grow = () => {
  size += 1;
  send({ method: "notifications/tools/list_changed" });
  send({ method: "notifications/prompts/list_changed" });
  return text("grown");
};
const listGrown = (key, create, cursor) => {
  const index = Number(cursor ?? 0);
  const page = { [key]: [create(index)] };
  return index + 1 < size ? { ...page, nextCursor: `${index + 1}` } : page;
};

const listTools = ({ cursor } = {}) => {
  if (mode === "growing") return listGrown("tools", (index) => tool(`grow_${index}`), cursor);
  if (mode === "schema") return { tools: [tool("files", { outputSchema: { type: "object" } })] };
  if (mode === "same-page") return { tools: [tool("files")], nextCursor: "same" };
  const list = LISTS[mode];
  if (!list) return { tools: named };
  const { pages, perPage, description } = list;
  const page = Number(cursor ?? 0);
  const tools = Array.from({ length: perPage }, (_, index) =>
    tool(`tool_${page * perPage + index}`, { description }),
  );
  return page + 1 < pages ? { tools, nextCursor: `${page + 1}` } : { tools };
};

const text = (content) => ({ content: [{ type: "text", text: content }] });
const image = { type: "image", mimeType: "image/png", data: Buffer.from("png").toString("base64") };

const CALLS = {
  die: () => process.exit(7),
  hang: () => undefined,
  big: () => text("x".repeat(50 * MEGABYTE)),
  grow_0: grow,
  files: () => ({ content: Array.from({ length: 30 }, () => image) }),
};

const argument = (name) => ({ name });
const PROMPTS = [
  { name: "same" },
  { name: "same" },
  { name: " two  words " },
  { name: "/" },
  { name: "__proto__", arguments: [argument("constructor")] },
  { name: "many", arguments: Array.from({ length: 21 }, (_, index) => argument(`a${index}`)) },
  { name: "odd", arguments: [argument("a b")] },
  ...["large", "hang", "die", "empty", "assistant", "pictures", "album"].map((name) => ({ name })),
];
const RESOURCES = [
  { name: "same", uri: "odd://a" },
  { name: "file", uri: "odd://b" },
];
const TEMPLATES = [{ name: "template", uriTemplate: "odd://{a" }];

const message = (role, content) => ({ role, content: { type: "text", text: content } });
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const pixel = { type: "image", mimeType: "image/png", data: PIXEL };
const SOUND = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const PICTURES = [
  { type: "text", text: "Compare" },
  pixel,
  { type: "text", text: "with" },
  {
    type: "resource",
    resource: { uri: "odd://x/../../b.png", mimeType: "image/png", blob: PIXEL },
  },
  { type: "image", mimeType: "image/png", data: "bm8gaW1hZ2U=" },
  { type: "audio", mimeType: "audio/wav", data: SOUND },
  { type: "audio", mimeType: "audio/wav", data: "" },
];
const GET = {
  large: () => ({ messages: [message("user", "x".repeat(300_000))] }),
  hang: () => undefined,
  die: () => process.exit(7),
  empty: () => ({ messages: [] }),
  assistant: () => ({ messages: [message("user", "one"), message("assistant", "two")] }),
  pictures: () => ({ messages: PICTURES.map((content) => ({ role: "user", content })) }),
  album: () => ({
    messages: Array.from({ length: 22 }, () => ({ role: "assistant", content: pixel })),
  }),
};
const READ = {
  "odd://a": { uri: "odd://a", text: "kX9wQ2vT7zB4mR8pL1nG5hJ6" },
  "odd://b": { uri: "odd://b", blob: "eA==", mimeType: "image/png" },
};

const ANSWERS = {
  "tools/list": listTools,
  "prompts/list": ({ cursor } = {}) =>
    mode === "growing"
      ? listGrown("prompts", (index) => ({ name: `prompt_${index}` }), cursor)
      : { prompts: PROMPTS },
  "resources/list": () => ({ resources: RESOURCES }),
  "resources/templates/list": () => ({ resourceTemplates: TEMPLATES }),
  "prompts/get": ({ name }) => GET[name]?.(),
  "resources/read": ({ uri }) => ({ contents: [READ[uri]] }),
};
const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  ...(mode !== "growing" && { resources: {} }),
};

process.stderr.write("a line that is no message\n");
process.stdout.write("neither is this\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    const { protocolVersion } = params;
    const serverInfo = { name: "hostile", version: "1" };
    return send({ id, result: { protocolVersion, serverInfo, capabilities: CAPABILITIES } });
  }
  if (method === "notifications/cancelled") process.stderr.write(`cancelled ${params.requestId}\n`);
  if (id === undefined) return undefined;
  if (method in ANSWERS) {
    const found = ANSWERS[method](params);
    return found && send({ id, result: found });
  }
  const result = CALLS[params.name];
  if (!result) return send({ id, error: { code: -32602, message: "no such thing" } });
  const answer = result();
  return answer && send({ id, result: answer });
});
