import { hash } from "node:crypto";
import type { JsonValue } from "@/contract/json";
import { isJsonObject } from "@/contract/is-json-object";
import type { Queryable } from "@/server/db/connection/database";
import type { ApprovalRule } from "@/server/db/generated/client";
import { readableBy, type Viewer } from "./viewer";

export type ApprovalRuleRow = Omit<ApprovalRule, "scopeHash" | "scope"> & {
  scope: JsonValue;
  chatTitle: string;
};

export const hasApprovalRule = async (
  { prisma }: Queryable,
  call: { rootChatId: string; toolName: string; scope: JsonValue },
): Promise<boolean> => {
  const { rootChatId: chatId, toolName, scope } = call;
  const key = { chatId, toolName, scopeHash: hashScope(scope) };
  const rule = await prisma.approvalRule.findUnique({
    where: { chatId_toolName_scopeHash: key },
    select: { id: true },
  });
  return rule !== null;
};

/** Lists the rules of the viewer's chats, newest first. @param before the id of the last known rule. */
export const listApprovalRules = async (
  { prisma }: Queryable,
  { viewer, before, limit }: { viewer: Viewer; before?: string | undefined; limit: number },
): Promise<ApprovalRuleRow[]> => {
  const rules = await prisma.approvalRule.findMany({
    // Ids are UUIDs of version 7, which ascend with time.
    where: { chat: readableBy(viewer), ...(before !== undefined && { id: { lt: before } }) },
    omit: { scopeHash: true },
    include: { chat: { select: { title: true } } },
    orderBy: { id: "desc" },
    take: limit,
  });
  // Written as JSON, so the cast is safe.
  return rules.map(({ chat, scope, ...rule }) => ({
    ...rule,
    scope: scope as JsonValue,
    chatTitle: chat.title,
  }));
};

/** Two scopes that differ only in the order of their keys are the same. */
export const hashScope = (scope: JsonValue): string =>
  hash(
    "sha256",
    JSON.stringify(scope, (_key, value: JsonValue) => sortKeys(value)),
    "hex",
  );

const sortKeys = (value: JsonValue): JsonValue =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
