import { setAppMcpServers } from "@/server/chat/app-mcp-servers";
import type { Database } from "@/server/db/database";
import { listMcpServers, recentMcpServers, watchMcpServers } from "@/server/db/mcp-server-reads";
import type { Env } from "@/server/env";
import { appSandbox } from "@/server/exec/app-sandbox";
import { log } from "@/server/log";
import { createMcpServers, type McpServers } from "@/server/tools/mcp/mcp-servers";
import { createServerDirectories } from "@/server/tools/mcp/server-directories";

/** Connects to the MCP servers in the background, now and at each change of them. */
export const startMcpServers = async (
  db: Database,
  { dataDir, mcpVariables, port }: Pick<Env, "dataDir" | "mcpVariables" | "port">,
): Promise<McpServers> => {
  const directories = createServerDirectories(dataDir);
  const servers = createMcpServers({
    listRecords: () => recentMcpServers(db),
    sandbox: appSandbox,
    openDirectory: directories.open,
    removeDirectory: directories.remove,
    variables: mcpVariables,
    ownPort: port,
  });
  await watchMcpServers(db, () => {
    servers.sync().catch(() => undefined);
  });
  start(servers, async () => {
    const kept = await listMcpServers(db);
    await directories.removeAbandoned(new Set(kept.map(({ id }) => id)));
  }).catch(() => undefined);
  return setAppMcpServers(servers);
};

const start = async (servers: McpServers, cleanUp: () => Promise<void>): Promise<void> => {
  await servers.sync();
  await cleanUp().catch((error: unknown) => {
    log().warn({ err: error }, "directories of former MCP servers could not be removed");
  });
};
