import { setAppMcpServers } from "@/server/chat/app-mcp-servers";
import type { Database } from "@/server/db/database";
import { listMcpServerIds, recentMcpServers, watchMcpServers } from "@/server/db/mcp-server-reads";
import type { Env } from "@/server/env";
import { appSandbox } from "@/server/exec/app-sandbox";
import { log } from "@/server/log";
import { createMcpServers, type McpServers } from "@/server/tools/mcp/mcp-servers";
import { createServerDirectories } from "@/server/tools/mcp/server-directories";

/**
 * What loads the SDK and the tools takes 100 ms of CPU, by which the server would be ready later. Whoever needs a server
 * before that connects at once.
 */
const START_AFTER_MS = 2_000;

/** Connects to the MCP servers in the background, soon and at each change of them. */
export const startMcpServers = async (
  db: Database,
  { dataDir, mcpVariables, port }: Pick<Env, "dataDir" | "mcpVariables" | "port">,
): Promise<McpServers> => {
  const directories = createServerDirectories(dataDir);
  const servers = createMcpServers({
    listRecords: () => recentMcpServers(db),
    sandbox: appSandbox,
    openDirectory: directories.open,
    removeDirectory: async (id) => {
      // Another version may have stored it, which this one cannot read.
      if (!(await listMcpServerIds(db)).has(id)) await directories.remove(id);
    },
    variables: mcpVariables,
    ownPort: port,
  });
  await watchMcpServers(db, () => {
    servers.sync().catch(() => undefined);
  });
  const timer = setTimeout(() => {
    start(servers, async () => {
      await directories.removeAbandoned(await listMcpServerIds(db));
    }).catch(() => undefined);
  }, START_AFTER_MS);
  const stop = async (): Promise<void> => {
    clearTimeout(timer);
    await servers.stop();
  };
  return setAppMcpServers({ ...servers, stop });
};

const start = async (servers: McpServers, cleanUp: () => Promise<void>): Promise<void> => {
  await servers.sync();
  await cleanUp().catch((error: unknown) => {
    log().warn({ err: error }, "directories of former MCP servers could not be removed");
  });
};
