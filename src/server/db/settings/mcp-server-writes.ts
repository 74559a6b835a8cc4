import type { Database, Transaction } from "@/server/db/connection/database";
import { publishDeclaredChange } from "@/server/db/sql/writes/setting-notices";
import { type McpServerRow, toStoredServer } from "./mcp-server-reads";
import { lockTable } from "@/server/db/sql/machine/table-locks";

/** Changes MCP servers under a lock of all of them, so that what the change reads cannot become outdated. */
export const changeMcpServers = <Result>(
  db: Database,
  change: (tx: Transaction) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (tx) => {
    await lockTable(tx, "mcpServer");
    const result = await change(tx);
    await publishDeclaredChange(tx, "mcpServers");
    return result;
  });

type ServerToStore = Omit<McpServerRow, "updatedAt">;

export const insertMcpServer = async (
  { prisma }: Transaction,
  { id, ...server }: ServerToStore,
): Promise<void> => {
  const { name } = server.declaration;
  await prisma.mcpServer.create({ data: { id, name, declaration: toStoredServer(server) } });
};

export const deleteMcpServerRow = async ({ prisma }: Transaction, id: string): Promise<void> => {
  await prisma.mcpServer.delete({ where: { id } });
};
