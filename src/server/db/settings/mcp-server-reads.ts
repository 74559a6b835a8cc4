import * as z from "zod";
import { type McpDeclaration, McpServerInput } from "@/contract/mcp-server";
import type { Queryable } from "@/server/db/connection/database";

/** A declared MCP server. */
export type McpServerRow = {
  id: string;
  declaration: McpDeclaration;
  /** Encrypted values of headers or variables, by their names. */
  encryptedSecrets: Readonly<Record<string, string>>;
  updatedAt: Date;
};

const StoredServer = McpServerInput.omit({ secrets: true }).extend({
  encrypted_secrets: z.record(z.string(), z.string()).default({}),
});

/** Converts a server to what its row has. */
export const toStoredServer = ({
  declaration,
  encryptedSecrets,
}: Pick<McpServerRow, "declaration" | "encryptedSecrets">) =>
  ({ ...declaration, encrypted_secrets: encryptedSecrets }) satisfies z.infer<typeof StoredServer>;

/** All MCP servers by name. Omits those that another version has stored and this one cannot read. */
export const listMcpServers = async ({ prisma }: Queryable): Promise<McpServerRow[]> => {
  const rows = await prisma.mcpServer.findMany({ orderBy: { name: "asc" } });
  return rows.flatMap(toRow);
};

export const findMcpServer = async (
  { prisma }: Queryable,
  id: string,
): Promise<McpServerRow | undefined> => {
  const row = await prisma.mcpServer.findUnique({ where: { id } });
  return row ? toRow(row)[0] : undefined;
};

export const hasMcpServerName = async ({ prisma }: Queryable, name: string): Promise<boolean> =>
  (await prisma.mcpServer.count({ where: { name } })) > 0;

type Stored = { id: string; declaration: unknown; updatedAt: Date };

const toRow = ({ id, declaration, updatedAt }: Stored): McpServerRow[] => {
  const { data } = StoredServer.safeParse(declaration);
  if (!data) return [];
  const { encrypted_secrets: encryptedSecrets, ...rest } = data;
  return [{ id, declaration: rest, encryptedSecrets, updatedAt }];
};

const VariableUses = z.object({
  servers: z.array(
    z.object({
      id: z.string(),
      transport: McpServerInput.shape.transport,
      updated_at: z.coerce.date(),
    }),
  ),
});

/**
 * Lists the servers that used variables of the environment when these were bound to hosts, as they were then. Migration 0040
 * has recorded them, and nothing writes them again.
 */
export const listVariableUses = async ({ prisma }: Queryable) => {
  const row = await prisma.setting.findUnique({ where: { key: "mcp_variable_uses" } });
  const { servers = [] } = VariableUses.safeParse(row?.value).data ?? {};
  return servers.map(({ updated_at: updatedAt, ...server }) => ({ ...server, updatedAt }));
};

/** The ids of all MCP servers, also of those that this version cannot read. */
export const listMcpServerIds = async ({ prisma }: Queryable): Promise<Set<string>> => {
  const rows = await prisma.mcpServer.findMany({ select: { id: true } });
  return new Set(rows.map(({ id }) => id));
};
