import { hash } from "node:crypto";
import type { JsonValue } from "@/contract/json";
import { isJsonObject } from "@/contract/is-json-object";
import type { Queryable } from "@/server/db/connection/database";
import type { ApprovalRule } from "@/server/db/generated/client";
import { type ChatAccess, ownedBy, rulesOf, toViewer, type Viewer } from "./viewer";

/** What a rule covers: calls with the same scope, or those that differ only in a text that matches the pattern. */
export type RuleScope = { scope: JsonValue; pattern: string | null };

export type ApprovalRuleRow = Omit<ApprovalRule, "scopeHash" | "scope"> & {
  scope: JsonValue;
  /** Null for a rule that counts in all chats of its owner. */
  chatTitle: string | null;
};

type RuleQuery = {
  chat: ChatAccess & { rootChatId: string };
  toolName: string;
  scope: JsonValue;
};

/** Whether a rule of the chat, or of its owner for all chats, is for exactly such calls. */
export const hasExactRule = async (
  { prisma }: Queryable,
  { chat, toolName, scope }: RuleQuery,
): Promise<boolean> => {
  const scopeHash = hashScope({ scope, pattern: null });
  const rule = await prisma.approvalRule.findFirst({
    where: { ...toRules(chat), toolName, scopeHash, pattern: null },
    select: { id: true },
  });
  return rule !== null;
};

/** @returns the rules with a pattern that count in the chat for calls of a tool. */
export const listPatternRules = async (
  { prisma }: Queryable,
  { chat, toolName }: Omit<RuleQuery, "scope">,
): Promise<{ scope: JsonValue; pattern: string }[]> => {
  const rules = await prisma.approvalRule.findMany({
    where: { ...toRules(chat), toolName, pattern: { not: null } },
    select: { scope: true, pattern: true },
  });
  // Written as JSON, so the cast is safe.
  return rules.map(({ scope, pattern }) => ({ scope: scope as JsonValue, pattern: pattern ?? "" }));
};

const toRules = (chat: RuleQuery["chat"]) => ({
  OR: [{ chatId: chat.rootChatId }, ownedBy(toViewer(chat))],
});

/** Lists the rules of the viewer and the viewer's chats, newest first. @param before the id of the last known rule. */
export const listApprovalRules = async (
  { prisma }: Queryable,
  { viewer, before, limit }: { viewer: Viewer; before?: string | undefined; limit: number },
): Promise<ApprovalRuleRow[]> => {
  const rules = await prisma.approvalRule.findMany({
    // Ids are UUIDs of version 7, which ascend with time.
    where: { ...rulesOf(viewer), ...(before !== undefined && { id: { lt: before } }) },
    omit: { scopeHash: true },
    include: { chat: { select: { title: true } } },
    orderBy: { id: "desc" },
    take: limit,
  });
  // Written as JSON, so the cast is safe.
  return rules.map(({ chat, scope, ...rule }) => ({
    ...rule,
    scope: scope as JsonValue,
    chatTitle: chat?.title ?? null,
  }));
};

/** Two scopes that differ only in the order of their keys are the same. */
export const hashScope = ({ scope, pattern }: RuleScope): string =>
  hash(
    "sha256",
    JSON.stringify(pattern === null ? scope : [pattern, scope], (_key, value: JsonValue) =>
      sortKeys(value),
    ),
    "hex",
  );

const sortKeys = (value: JsonValue): JsonValue =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
