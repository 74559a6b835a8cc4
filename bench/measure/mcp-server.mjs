import { once } from "node:events";
import { createServer } from "node:http";

/** As a server of many tools has them: a sentence, and three parameters. */
const createTool = (index) => ({
  name: `tool_${index}`,
  description: `Reads and changes the records of department ${index}, and lists what has changed since a day.`,
  inputSchema: {
    type: "object",
    properties: {
      id: { type: "string", description: "The id of the record" },
      fields: { type: "array", items: { type: "string" } },
      limit: { type: "integer", minimum: 1, maximum: 100 },
    },
    required: ["id"],
  },
});

/**
 * Starts an MCP server of streamable HTTP that has nothing but tools.
 *
 * @param {number} count of its tools
 */
export const startMcpServer = async (count) => {
  const tools = Array.from({ length: count }, (_, index) => createTool(index));
  const answer = ({ method, params }) =>
    method === "initialize"
      ? {
          protocolVersion: params.protocolVersion,
          serverInfo: { name: "bench", version: "1" },
          capabilities: { tools: {} },
        }
      : { tools };
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return response.writeHead(405).end();
    const message = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString());
    if (message.id === undefined) return response.writeHead(202).end();
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(
      JSON.stringify({ jsonrpc: "2.0", id: message.id, result: answer(message) }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
