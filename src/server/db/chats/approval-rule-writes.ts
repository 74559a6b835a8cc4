import type { JsonValue } from "@/contract/json";
import { isUuid } from "@/lib/is-uuid";
import { hashScope } from "./approval-rule-reads";
import type { Queryable, Transaction } from "@/server/db/connection/database";
import { toJsonInput } from "./json-input";
import { type Viewer, writableBy } from "./viewer";

type NewRule = { id: string; toolName: string; scope: JsonValue };

/** Stores rules of a locked root chat; one that exists already is kept as it is. */
export const insertApprovalRules = async (
  { prisma }: Transaction,
  { rules, ...shared }: { chatId: string; createdBy: string; rules: NewRule[] },
): Promise<void> => {
  await prisma.approvalRule.createMany({
    data: rules.map(({ scope, ...rule }) => ({
      ...rule,
      ...shared,
      scope: toJsonInput(scope),
      scopeHash: hashScope(scope),
    })),
    skipDuplicates: true,
  });
};

/** @returns false when the viewer may change no chat with such a rule. */
export const deleteApprovalRule = async (
  { prisma }: Queryable,
  { id, viewer }: { id: string; viewer: Viewer },
): Promise<boolean> => {
  if (!isUuid(id)) return false;
  const { count } = await prisma.approvalRule.deleteMany({
    where: { id, chat: writableBy(viewer) },
  });
  return count > 0;
};
