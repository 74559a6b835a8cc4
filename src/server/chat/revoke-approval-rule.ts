import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import { deleteApprovalRule } from "@/server/db/chats/approval-rule-writes";

/**
 * Revokes "always for this chat" for later calls. Running calls continue.
 *
 * @throws {DomainError} `not_found`.
 */
export const revokeApprovalRule = async (
  { db, actor }: ServerContext,
  { ruleId }: { ruleId: string },
): Promise<void> => {
  if (await deleteApprovalRule(db, { id: ruleId, viewer: actor })) return;
  throw new DomainError("not_found", `There is no approval rule "${ruleId}".`);
};
