import type { Tool } from "@/server/tools/tool";
import { createMcpTool, type McpToolDeps } from "./mcp-tool";
import type { McpServers } from "@/server/mcp/mcp-servers";
import type { OfferedMcpTool } from "./offered-tools";
import type { ServerLink } from "@/server/mcp/server-link";

/**
 * Creates a function that lists the tools of all servers, each made once for each list of its server. The list is the
 * same one until a server's list changes. Does not reject.
 */
export const createMcpLister = (servers: Pick<McpServers, "listLinks">, deps: McpToolDeps) => {
  const known = new WeakMap<readonly OfferedMcpTool[], readonly Tool[]>();
  const listLinkTools = (link: ServerLink): readonly Tool[] => {
    const { tools } = link.offered();
    const made = known.get(tools) ?? tools.map((tool) => createMcpTool(link, tool, deps));
    known.set(tools, made);
    return made;
  };
  let parts: (readonly Tool[])[] = [];
  let all: readonly Tool[] = [];
  return async (): Promise<readonly Tool[]> => {
    const found = (await servers.listLinks()).map(listLinkTools);
    const isSame = found.length === parts.length && found.every((part, at) => part === parts[at]);
    if (!isSame) [parts, all] = [found, found.flat()];
    return all;
  };
};
