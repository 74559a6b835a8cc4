import { isDeepStrictEqual } from "node:util";
import { DomainError } from "@/contract/domain-error";
import {
  MAX_MCP_SERVERS,
  type McpDeclaration,
  type McpSecrets,
  type McpServer,
  type McpServerInput,
  type McpServerRef,
  type McpServerTestResult,
  type UpdateMcpServerInput,
} from "@/contract/mcp-server";
import type { FieldError } from "@/contract/problem";
import type { ServerContext } from "@/server/context";
import type { Queryable, Transaction } from "@/server/db/connection/database";
import { changeDeclared } from "@/server/db/settings/change-declared";
import {
  findMcpServer,
  hasMcpServerName,
  listMcpServerIds,
  listMcpServers,
  type McpServerRow,
  toStoredServer,
} from "@/server/db/settings/mcp-server-reads";
import { deleteMcpServerRow, insertMcpServer } from "@/server/db/settings/mcp-server-writes";
import { hasToolset } from "@/server/db/settings/toolset-reads";
import { replaceMcpServer } from "@/server/db/sql/writes/dated-writes";
import { bindSecret } from "@/server/mcp/server-secrets";
import { isApprovalNeeded } from "@/server/mcp/tools/mcp-tool";
import { requireOwner } from "./require-owner";

/** Lists all MCP servers with their states in this process. @throws {DomainError} `forbidden`. */
export const listAllMcpServers = async (ctx: ServerContext): Promise<McpServer[]> => {
  requireOwner(ctx.actor);
  await ctx.mcp.sync();
  return (await listMcpServers(ctx.db)).map((row) => toWireServer(ctx, row));
};

/** @throws {DomainError} `forbidden`; `invalid`; `conflict` for a name that is taken, and for one server too many. */
export const createMcpServer = (
  ctx: ServerContext,
  { secrets, ...declaration }: McpServerInput,
): Promise<McpServer> => {
  requireOwner(ctx.actor);
  requireSound(ctx, declaration);
  const id = ctx.newId();
  const encryptedSecrets = changeSecrets(ctx, { id, encryptedSecrets: {} }, secrets);
  return changeAndRead(ctx, id, async (tx) => {
    await requireRoom(tx);
    await requireNewName(tx, declaration.name);
    await insertMcpServer(tx, { id, declaration, encryptedSecrets });
  });
};

/**
 * Changes an MCP server, which is connected to again.
 *
 * @throws {DomainError} `forbidden`; `not_found`; `invalid`; `conflict` for a name that is taken.
 */
export const updateMcpServer = async (
  ctx: ServerContext,
  { server_id: id, ...changes }: UpdateMcpServerInput,
): Promise<McpServer> => {
  requireOwner(ctx.actor);
  return changeAndRead(ctx, id, async (tx) => {
    const row = await requireRow(tx, id);
    const { declaration } = row;
    const changed: McpDeclaration = {
      name: changes.name ?? declaration.name,
      transport: changes.transport ?? declaration.transport,
      approval: changes.approval ?? declaration.approval,
      timeout_seconds: changes.timeout_seconds ?? declaration.timeout_seconds,
      enabled: changes.enabled ?? declaration.enabled,
    };
    if (changes.transport) requireSound(ctx, changed);
    if (changed.name !== declaration.name) await requireNewName(tx, changed.name);
    const kept = keepSecrets(row, changed.transport, changes.secrets);
    const encryptedSecrets = changeSecrets(ctx, kept, changes.secrets);
    await replaceMcpServer(tx, {
      id,
      declaration: toStoredServer({ declaration: changed, encryptedSecrets }),
    });
  });
};

/** @throws {DomainError} `forbidden`, `not_found`. */
export const deleteMcpServer = async (
  { db, actor, cached, mcp }: ServerContext,
  { server_id: id }: McpServerRef,
): Promise<void> => {
  requireOwner(actor);
  await changeDeclared(db, "mcpServers", async (tx) => {
    await requireRow(tx, id);
    await deleteMcpServerRow(tx, id);
  });
  cached.mcpServers.forget();
  await mcp.sync();
};

/**
 * Connects to a server once, and lists its tools.
 *
 * @throws {DomainError} `forbidden`, `not_found`.
 */
export const testMcpServer = async (
  { db, actor, mcp }: ServerContext,
  { server_id: id }: McpServerRef,
): Promise<McpServerTestResult> => {
  requireOwner(actor);
  return mcp.test(await requireRow(db, id));
};

type Transport = McpDeclaration["transport"];
type StoredSecrets = Pick<McpServerRow, "id" | "encryptedSecrets">;

/**
 * Finds the secrets that a changed server still has. Headers are no variables, and what was entered for one address or
 * program is not given to another one.
 *
 * @throws {DomainError} `invalid` for secrets of another address or program that were not entered again.
 */
const keepSecrets = (
  { id, declaration, encryptedSecrets }: McpServerRow,
  next: Transport,
  entered: McpSecrets = {},
): StoredSecrets => {
  const { transport } = declaration;
  if (transport.type !== next.type) return { id, encryptedSecrets: {} };
  const missing = Object.keys(encryptedSecrets).filter((name) => !(name in entered));
  if (missing.length === 0 || hasSameReader(transport, next)) return { id, encryptedSecrets };
  const other = next.type === "http" ? "address" : "program";
  const message = `Enter ${missing.join(", ")} again, or remove it: what is stored was for the other ${other}, and is not sent to a new one.`;
  throw new DomainError("invalid", message, { errors: [{ pointer: "/secrets", message }] });
};

/** Whether the same address gets the secrets, or the same program: its arguments and variables decide what it does. */
const hasSameReader = (stored: Transport, next: Transport): boolean =>
  stored.type === "http" && next.type === "http"
    ? new URL(stored.url).origin === new URL(next.url).origin
    : isDeepStrictEqual(stored, next);

/** Encrypts what was entered, and leaves out what was removed. */
const changeSecrets = (
  { models }: ServerContext,
  { id, encryptedSecrets }: StoredSecrets,
  entered: McpSecrets = {},
): Record<string, string> => {
  const kept = Object.entries(encryptedSecrets).filter(([name]) => !(name in entered));
  const added = Object.entries(entered).flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, models.encryptKey(value, bindSecret(id, name))]],
  );
  return Object.fromEntries([...kept, ...added]);
};

/** Each process connects when it is notified of the commit, which may be later than this. */
const changeAndRead = async (
  ctx: ServerContext,
  id: string,
  change: (tx: Transaction) => Promise<void>,
): Promise<McpServer> => {
  const row = await changeDeclared(ctx.db, "mcpServers", async (tx) => {
    await change(tx);
    return requireRow(tx, id);
  });
  ctx.cached.mcpServers.forget();
  return toWireServer(ctx, row);
};

/** Refuses what could never be connected to from here. */
const requireSound = ({ mcp }: ServerContext, { transport }: McpDeclaration): void => {
  const errors = mcp.findProblems(transport);
  if (errors.length === 0) return;
  const placed = errors.map(({ pointer, message }): FieldError => ({
    pointer: `/transport${pointer}`,
    message,
  }));
  throw new DomainError("invalid", "The settings of the connection are not valid.", {
    errors: placed,
  });
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws {DomainError} `not_found`. */
const requireRow = async (queryable: Queryable, id: string): Promise<McpServerRow> => {
  const row = UUID.test(id) ? await findMcpServer(queryable, id) : undefined;
  if (!row) throw new DomainError("not_found", `There is no MCP server "${id}".`);
  return row;
};

const requireRoom = async (tx: Transaction): Promise<void> => {
  if ((await listMcpServerIds(tx)).size < MAX_MCP_SERVERS) return;
  throw new DomainError(
    "conflict",
    `There can be at most ${MAX_MCP_SERVERS} MCP servers. Delete one first.`,
    { shouldRetry: false },
  );
};

/** The names of the tools of servers and of toolsets begin with these names. */
const requireNewName = async (tx: Transaction, name: string): Promise<void> => {
  const isServer = await hasMcpServerName(tx, name);
  if (!isServer && !(await hasToolset(tx, name))) return;
  const owner = isServer ? "an MCP server" : "a toolset";
  throw new DomainError("conflict", `There is ${owner} "${name}" already.`, {
    shouldRetry: false,
    errors: [{ pointer: "/name", message: "is taken" }],
  });
};

const toWireServer = ({ mcp }: Pick<ServerContext, "mcp">, row: McpServerRow): McpServer => {
  const { id, declaration, encryptedSecrets, updatedAt } = row;
  const { state, error, tools, notices } = mcp.status(row);
  return {
    id,
    ...declaration,
    secret_names: Object.keys(encryptedSecrets).toSorted(),
    state,
    ...(error !== undefined && { error }),
    tools: tools.map(({ name, tool, description, isHarmless }) => ({
      name,
      tool,
      description,
      needs_approval: isApprovalNeeded(declaration.approval, isHarmless),
    })),
    notices: [...notices],
    updated_at: updatedAt.toISOString(),
  };
};
