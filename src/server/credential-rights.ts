import type { ApiKeyScope } from "@/contract/api-key";
import { DomainError } from "@/contract/domain-error";
import { matchesName } from "@/lib/name-pattern";
import { getToolset, type ToolCallPartRow } from "@/server/db/chats/rows";
import { seesAll } from "@/server/db/chats/viewer";
import type { Actor, Credential } from "./context";

/** Sessions have all scopes: what needs the owner is decided by the actor's role. */
export const hasScope = (credential: Credential, needed: ApiKeyScope): boolean => {
  if (credential.type === "session") return true;
  const { scopes } = credential;
  return (
    scopes.includes(needed) ||
    scopes.includes("admin") ||
    (needed === "read" && scopes.includes("chat"))
  );
};

/** What a credential has, as it stands in sentences about what it has not. */
export const listScopes = (credential: Credential): string =>
  credential.type === "session" ? "all" : credential.scopes.map((scope) => `"${scope}"`).join(", ");

/** The names and patterns of the tools that a credential is restricted to; undefined for all tools. */
export const listAllowedTools = (credential: Credential): readonly string[] | undefined => {
  const only = credential.type === "session" ? null : credential.only;
  if (only?.tools === undefined && only?.toolsets === undefined) return undefined;
  return only.tools ?? [];
};

/** The toolsets to which a credential is restricted besides; undefined for none. */
export const listAllowedToolsets = (credential: Credential): readonly string[] | undefined =>
  credential.type === "session" ? undefined : credential.only?.toolsets;

/** Whether a credential may run the tools of a toolset. */
export const isAllowedToolset = (credential: Credential, toolset: string): boolean =>
  listAllowedTools(credential) === undefined ||
  (listAllowedToolsets(credential)?.includes(toolset) ?? false);

/** A tool by its name, and where it comes from if that is known. */
type NamedTool = Pick<ToolCallPartRow, "toolName"> & Partial<Pick<ToolCallPartRow, "kind">>;

/** Whether a credential may do something with a tool. In which chats is decided by the viewer. */
export const isAllowedTool = (credential: Credential, { toolName, kind }: NamedTool): boolean => {
  const patterns = listAllowedTools(credential);
  const toolset = kind && getToolset({ kind, toolName });
  return (
    patterns === undefined ||
    patterns.some((pattern) => matchesName(pattern, toolName)) ||
    (toolset !== undefined && isAllowedToolset(credential, toolset))
  );
};

/**
 * Requires that a caller may answer calls of a tool, decide on them, and name the tool.
 *
 * @throws {DomainError} `forbidden` for a key that is restricted to others.
 */
export const requireAllowedTool = ({ credential }: Pick<Actor, "credential">, tool: NamedTool) => {
  if (isAllowedTool(credential, tool)) return;
  throw new DomainError(
    "forbidden",
    `This key is restricted to other tools than "${tool.toolName}".`,
    { shouldRetry: false },
  );
};

/**
 * Requires that a caller sees all chats of the account.
 *
 * @throws {DomainError} `forbidden`.
 */
export const requireWholeAccount = (actor: Actor): void => {
  if (seesAll(actor)) return;
  throw new DomainError(
    "forbidden",
    "This is about all of the account, of which this key or token sees some chats only.",
    { shouldRetry: false },
  );
};
