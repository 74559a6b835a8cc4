import type { Tool } from "@/server/tools/tool";
import { createMcpTool, type McpToolDeps } from "./mcp-tool";
import type { McpServers } from "./mcp-servers";
import type { OfferedMcpTool } from "./offered-tools";
import type { ServerLink } from "./server-link";

/** Creates a function that lists the tools of all servers, each made once for each list of its server. Does not reject. */
export const createMcpLister = (servers: () => McpServers | undefined, deps: McpToolDeps) => {
  const known = new WeakMap<readonly OfferedMcpTool[], readonly Tool[]>();
  const listOf = (link: ServerLink): readonly Tool[] => {
    const { tools } = link.offered();
    const made = known.get(tools) ?? tools.map((tool) => createMcpTool(link, tool, deps));
    known.set(tools, made);
    return made;
  };
  return async (): Promise<readonly Tool[]> => {
    const links = (await servers()?.listLinks()) ?? [];
    return links.flatMap(listOf);
  };
};
