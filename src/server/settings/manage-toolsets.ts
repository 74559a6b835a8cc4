import { isDeepStrictEqual } from "node:util";
import { DomainError } from "@/contract/domain-error";
import type { FieldError } from "@/contract/problem";
import {
  type PutToolsetInput,
  type Toolset,
  type ToolsetDeclaration,
  toToolsetToolName,
} from "@/contract/toolset";
import { compareVersions } from "@/lib/compare-versions";
import { type Actor, actorId, type ServerContext } from "@/server/context";
import { hasScope, isAllowedToolset } from "@/server/credential-rights";
import { changeDeclared } from "@/server/db/settings/change-declared";
import { listKeyNames } from "@/server/db/settings/key-names";
import type { Transaction } from "@/server/db/connection/database";
import { hasMcpServerName } from "@/server/db/settings/mcp-server-reads";
import {
  findToolset,
  hasToolset,
  listToolsets as listRows,
  type ToolsetRow,
} from "@/server/db/settings/toolset-reads";
import { insertToolset } from "@/server/db/settings/toolset-writes";
import { listRunners, listToolsetUses } from "@/server/db/sql/reads/runner-reads";
import { replaceToolset } from "@/server/db/sql/writes/dated-writes";
import { toOfferedToolset } from "@/server/tools/toolsets/toolset-tool";
import { createScope } from "./list-tools";
import { requireOwner } from "./require-owner";

/** Lists the toolsets that the caller may declare, with the programs that run them. @throws {DomainError} `forbidden`. */
export const listToolsets = async (ctx: ServerContext): Promise<Toolset[]> => {
  requireOwner(ctx.actor);
  const rows = await listRows(ctx.db);
  return describeToolsets(
    ctx,
    rows.filter(({ name }) => mayDeclare(ctx.actor, name)),
  );
};

/** @throws {DomainError} `forbidden`, `not_found`. */
export const getToolset = async (ctx: ServerContext, name: string): Promise<Toolset> => {
  requireToolsetRight(ctx.actor, name);
  const row = await findToolset(ctx.db, name);
  const [toolset] = row ? await describeToolsets(ctx, [row]) : [];
  if (!toolset) throw unknownToolset(name);
  return toolset;
};

/**
 * Declares a toolset, or replaces it. The same declaration changes nothing.
 *
 * @throws {DomainError} in this order: `forbidden`; `conflict` for names that other tools have, another revision than the one
 *   that is given, and a lower version than that of a program that is connected.
 */
export const putToolset = async (
  ctx: ServerContext,
  { name, if_revision: ifRevision, ...declaration }: PutToolsetInput,
): Promise<Toolset> => {
  requireToolsetRight(ctx.actor, name);
  await requireFreeNames(ctx, name, declaration);
  const declaredBy = actorId(ctx.actor);
  await changeDeclared(ctx.db, "toolsets", async (tx) => {
    if (await hasMcpServerName(tx, name)) throw takenByServer(name);
    const row = await findToolset(tx, name);
    requireRevision(row, ifRevision);
    if (isDeepStrictEqual(row?.declaration, declaration)) return;
    await requireNewest(tx, name, declaration);
    if (await hasToolset(tx, name)) await replaceToolset(tx, { name, declaration, declaredBy });
    else await insertToolset(tx, { name, declaration, declaredBy, userId: ctx.actor.userId });
  });
  ctx.cached.toolsets.forget();
  return getToolset(ctx, name);
};

/**
 * Requires that a caller may declare the toolset: a person, or a key with the scope `admin` or for this toolset.
 *
 * @throws {DomainError} `forbidden`.
 */
export const requireToolsetRight = (actor: Actor, name: string): void => {
  requireOwner(actor);
  if (mayDeclare(actor, name)) return;
  throw new DomainError(
    "forbidden",
    `This key is not for the toolset "${name}". It needs the name in only.toolsets, or the scope "admin".`,
    { shouldRetry: false },
  );
};

const mayDeclare = ({ credential }: Actor, name: string): boolean =>
  isAllowedToolset(credential, name) &&
  (hasScope(credential, "admin") || isNamed(credential, name));

const isNamed = (credential: Actor["credential"], name: string): boolean =>
  credential.type === "api_key" && (credential.only?.toolsets?.includes(name) ?? false);

export const unknownToolset = (name: string): DomainError =>
  new DomainError(
    "not_found",
    `There is no toolset "${name}". PUT /toolsets/${name} declares it, and GET /toolsets lists those that there are.`,
  );

const requireFreeNames = async (
  ctx: ServerContext,
  toolset: string,
  { tools }: ToolsetDeclaration,
): Promise<void> => {
  const taken = await listNamesOfOthers(ctx);
  const errors = tools.flatMap((tool, index): FieldError[] => {
    const name = toToolsetToolName(toolset, tool.name);
    if (!taken.has(name)) return [];
    return [{ pointer: `/tools/${index}/name`, message: `makes a name in use: "${name}"` }];
  });
  if (errors.length === 0) return;
  const message = `Other tools of the server have ${errors.length === 1 ? "a name" : "names"} of this toolset already.`;
  throw new DomainError("conflict", message, { errors, shouldRetry: false });
};

/** The names of the tools of the server that no toolset has. */
const listNamesOfOthers = async ({
  toolSources,
  actor,
  newId,
}: ServerContext): Promise<Set<string>> => {
  const others = toolSources.filter(({ kind }) => kind !== "toolset");
  const scope = createScope(actor, newId());
  const lists = await Promise.all(others.map(async ({ listTools }) => listTools(scope)));
  return new Set([
    ...others.flatMap(({ reservedNames }) => reservedNames),
    ...lists.flat().map(({ name }) => name),
  ]);
};

const takenByServer = (name: string): DomainError =>
  new DomainError(
    "conflict",
    `An MCP server has the name "${name}", by which the names of its tools begin. Give the toolset another one.`,
    { errors: [{ pointer: "/name", message: "is the name of an MCP server" }], shouldRetry: false },
  );

const requireRevision = (row: ToolsetRow | undefined, expected: number | undefined): void => {
  const revision = row?.revision ?? 0;
  if (expected === undefined || expected === revision) return;
  throw new DomainError(
    "conflict",
    `The toolset has revision ${revision}, not ${expected}. Read it again, and decide by what it is now.`,
    { reason: "version_mismatch", shouldRetry: false },
  );
};

/** A copy of a program that is replaced must not take back what its successor has declared. */
const requireNewest = async (
  tx: Transaction,
  name: string,
  { version }: ToolsetDeclaration,
): Promise<void> => {
  const newer = (await listRunners(tx)).find(
    (runner) => runner.toolset === name && compareVersions(runner.version, version) > 0,
  );
  if (!newer) return;
  throw new DomainError(
    "conflict",
    `"${newer.holder}" runs version ${newer.version} of the toolset, which is newer than ${version}. Stop it first, or declare a higher version.`,
    { reason: "older_version", shouldRetry: false },
  );
};

const describeToolsets = async (
  { db }: ServerContext,
  rows: readonly ToolsetRow[],
): Promise<Toolset[]> => {
  const [runners, uses, keyNames] = await Promise.all([
    listRunners(db),
    listToolsetUses(
      db,
      rows.map(({ name }) => name),
    ),
    listKeyNames(
      db,
      rows.map(({ declaredBy }) => declaredBy),
    ),
  ]);
  return rows.map((row) => {
    const use = uses.find(({ toolset }) => toolset === row.name);
    const keyName = keyNames.get(row.declaredBy);
    return {
      ...row.declaration,
      name: row.name,
      revision: row.revision,
      warnings: [...toOfferedToolset(row.name, row.declaration, true).warnings],
      declared_by: row.declaredBy,
      ...(keyName !== undefined && { key_name: keyName }),
      runners: runners
        .filter(({ toolset }) => toolset === row.name)
        .map(({ holder, version, seenAt, claimed }) => ({
          holder,
          version,
          seen_at: seenAt.toISOString(),
          claimed,
        })),
      last_seen_at: use?.lastSeenAt?.toISOString() ?? null,
      open_calls: use?.openCalls ?? 0,
      oldest_open_at: use?.oldestOpenAt?.toISOString() ?? null,
      updated_at: row.updatedAt.toISOString(),
    };
  });
};
