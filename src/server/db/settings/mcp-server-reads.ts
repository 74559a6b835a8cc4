import { McpServerInput } from "@/contract/mcp-server";
import type { Database, Queryable } from "@/server/db/connection/database";
import { perDatabase } from "@/server/db/connection/per-database";
import { MCP_SERVER_CHANNEL } from "@/server/db/sql/writes/mcp-server-notices";

/** A declared MCP server. */
export type McpServerRow = { id: string; declaration: McpServerInput; updatedAt: Date };

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
  const { data } = McpServerInput.safeParse(declaration);
  return data ? [{ id, declaration: data, updatedAt }] : [];
};

/** The ids of all MCP servers, also of those that this version cannot read. */
export const listMcpServerIds = async ({ prisma }: Queryable): Promise<Set<string>> => {
  const rows = await prisma.mcpServer.findMany({ select: { id: true } });
  return new Set(rows.map(({ id }) => id));
};

/** How late a change is seen when its notification was lost. */
const CACHE_MS = 5_000;

type ServerCache = {
  current?: { servers: Promise<readonly McpServerRow[]>; expiresAt: number };
  /** The last list that was read. */
  known: readonly McpServerRow[];
};

const serverCache = perDatabase((): ServerCache => ({ known: [] }));

/** Drops the cached list of this process at each change of MCP servers, in any process, and reports it. */
export const watchMcpServers = async (db: Database, onChange: () => void): Promise<void> => {
  await db.listen(MCP_SERVER_CHANNEL, () => {
    forgetMcpServers(db);
    onChange();
  });
};

/**
 * Lists the servers from a cache, for every step. Does not reject: while the database is away, it returns the last
 * list.
 */
export const recentMcpServers = (db: Database): Promise<readonly McpServerRow[]> => {
  const cache = serverCache(db);
  const now = performance.now();
  if (cache.current && cache.current.expiresAt > now) return cache.current.servers;
  const servers: Promise<readonly McpServerRow[]> = listMcpServers(db).then(
    (rows) => {
      // After a change since the read began, the rows may be older than those that are known.
      if (cache.current?.servers !== servers) return recentMcpServers(db);
      return (cache.known = isSame(cache.known, rows) ? cache.known : rows);
    },
    () => cache.known,
  );
  cache.current = { servers, expiresAt: now + CACHE_MS };
  return servers;
};

/** Drops the cached list after a change by this process, whose notification comes later. */
export const forgetMcpServers = (db: Database): void => void delete serverCache(db).current;

/** What is made of an unchanged list stays valid. */
const isSame = (before: readonly McpServerRow[], after: readonly McpServerRow[]): boolean =>
  before.length === after.length &&
  before.every(({ id, updatedAt }, index) => {
    const other = after[index];
    return other?.id === id && other.updatedAt.getTime() === updatedAt.getTime();
  });
