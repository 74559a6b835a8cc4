import type { Database } from "@/server/db/connection/database";
import { listMcpServerIds, listVariableUses } from "@/server/db/settings/mcp-server-reads";
import type { SettingCaches } from "@/server/db/settings/setting-caches";
import type { Env } from "@/server/env";
import type { ToolDeps } from "./tool-registry";
import { log } from "@/server/log";
import { createMcpServers, type McpServers } from "@/server/mcp/mcp-servers";
import type { KeyCipher } from "@/server/model/catalog/key-cipher";
import { createServerDirectories } from "@/server/mcp/server-directories";

type StartDeps = Pick<ToolDeps, "sandbox" | "budget"> & {
  db: Database;
  cached: Pick<SettingCaches, "mcpServers">;
  settings: Pick<Env, "dataDir" | "mcpVariables" | "mcpDestinations" | "port">;
  /** Decrypts the secrets of servers. */
  cipher: Pick<KeyCipher, "decrypt">;
};

/**
 * Connects to the MCP servers in the background, when the process is ready and at each change of them. What loads the
 * SDK and the tools takes 100 ms of CPU, by which the process would be ready later. Whoever needs a server before that
 * connects at once.
 *
 * @param ready does not reject.
 */
export const startMcpServers = async (
  { db, cached, sandbox, budget, settings, cipher }: StartDeps,
  ready: Promise<void>,
): Promise<McpServers> => {
  const { dataDir, mcpVariables, mcpDestinations, port } = settings;
  const directories = createServerDirectories(dataDir);
  const servers = createMcpServers({
    listRecords: cached.mcpServers.get,
    sandbox,
    budget,
    openDirectory: directories.open,
    removeDirectory: async (id) => {
      // Another version may have stored it, which this one cannot read.
      if (!(await listMcpServerIds(db)).has(id)) await directories.remove(id);
    },
    variables: {
      values: mcpVariables,
      destinations: mcpDestinations,
      recordedUses: await listVariableUses(db),
    },
    decryptSecret: cipher.decrypt,
    ownPort: port,
  });
  await cached.mcpServers.watch(() => {
    servers.sync().catch(() => undefined);
  });
  let isStopped = false;
  const start = async (): Promise<void> => {
    await ready;
    if (isStopped) return;
    await servers.sync();
    await directories.removeAbandoned(await listMcpServerIds(db));
  };
  start().catch((error: unknown) => {
    log().warn({ err: error }, "directories of former MCP servers could not be removed");
  });
  const stop = async (): Promise<void> => {
    isStopped = true;
    await servers.stop();
  };
  return { ...servers, stop };
};
