import type { McpServers } from "@/server/mcp/mcp-servers";

const KEY = Symbol.for("parley.mcp-servers");

/** A property of `globalThis`, because the routes are bundled apart from what starts the process. */
const holder = globalThis as { [KEY]?: McpServers };

/** Makes the MCP servers those of this process. */
export const setAppMcpServers = (servers: McpServers): McpServers => (holder[KEY] = servers);

/** @returns the MCP servers of this process, once it has been started. */
export const appMcpServers = (): McpServers | undefined => holder[KEY];
