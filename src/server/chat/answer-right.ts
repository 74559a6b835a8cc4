import { DomainError } from "@/contract/domain-error";
import type { Actor } from "@/server/context";
import { hasScope, listScopes, requireAllowedTool } from "@/server/credential-rights";
import type { ToolCallPartRow } from "@/server/db/chats/rows";

/**
 * Requires that a caller with the scope for answers may answer this call.
 *
 * @throws {DomainError} `forbidden` for a key that is restricted to other tools, and for a question of an MCP server, by which
 *   a person decides what a call of the server does, without the scope for decisions.
 */
export const requireAnswerRight = (
  actor: Actor,
  call: Pick<ToolCallPartRow, "kind" | "toolName" | "elicitations">,
): void => {
  requireAllowedTool(actor, call);
  if (!call.elicitations?.length || hasScope(actor.credential, "approvals:decide")) return;
  throw new DomainError(
    "forbidden",
    'The answer to the question of an MCP server needs an API key with the scope "approvals:decide"; ' +
      `this key has ${listScopes(actor.credential)}.`,
    { shouldRetry: false },
  );
};
