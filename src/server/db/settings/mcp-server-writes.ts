import type { Transaction } from "@/server/db/connection/database";
import { type McpServerRow, toStoredServer } from "./mcp-server-reads";

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
