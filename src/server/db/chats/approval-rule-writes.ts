import { isUuid } from "@/lib/is-uuid";
import { hashScope, type RuleScope } from "./approval-rule-reads";
import type { Queryable, Transaction } from "@/server/db/connection/database";
import { toJsonInput } from "./json-input";
import { type ChatAccess, rulesOf, type Viewer } from "./viewer";

type NewRule = RuleScope & {
  id: string;
  toolName: string;
  /** The root chat that it is for, or the person in all of whose chats it counts. */
  place: { chatId: string } | ChatAccess;
};

/** Stores rules, those for a chat while the root chat is locked; one that exists already is kept as it is. */
export const insertApprovalRules = async (
  { prisma }: Transaction,
  { rules, createdBy }: { createdBy: string; rules: NewRule[] },
): Promise<void> => {
  await prisma.approvalRule.createMany({
    data: rules.map(({ id, toolName, place, scope, pattern }) => ({
      id,
      toolName,
      createdBy,
      ...place,
      scope: toJsonInput(scope),
      pattern,
      scopeHash: hashScope({ scope, pattern }),
    })),
    skipDuplicates: true,
  });
};

/** @returns false when the viewer has no such rule, nor a chat with it. */
export const deleteApprovalRule = async (
  { prisma }: Queryable,
  { id, viewer }: { id: string; viewer: Viewer },
): Promise<boolean> => {
  if (!isUuid(id)) return false;
  const { count } = await prisma.approvalRule.deleteMany({
    where: { id, ...rulesOf(viewer) },
  });
  return count > 0;
};
