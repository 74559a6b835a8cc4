import * as z from "zod";
import { type ApprovalRule, ApprovalRulePage } from "@/contract/approval-rule";
import { ListApprovalRulesInput } from "@/contract/chat-inputs";
import { SetToolModeInput, Tool, ToolList } from "@/contract/tool";
import { defineOperation } from "@/server/api/operation";
import { listTools, setToolMode } from "@/server/settings/list-tools";
import { revokeApprovalRule } from "@/server/chat/revoke-approval-rule";
import { type ApprovalRuleRow, listApprovalRules } from "@/server/db/chats/approval-rule-reads";

export const listToolsOperation = defineOperation({
  name: "tools.list",
  method: "GET",
  path: "/tools",
  summary: "List the tools of the server, and why those are not offered that are not",
  scope: "read",
  input: z.strictObject({}),
  output: ToolList,
  status: 200,
  run: async (ctx) => ({ data: await listTools(ctx) }),
});

export const setToolModeOperation = defineOperation({
  name: "tools.setMode",
  method: "PUT",
  path: "/tools/{name}",
  summary: "Turn a tool on or off, or ask before each call; administrators only",
  scope: "admin",
  input: SetToolModeInput,
  output: Tool,
  status: 200,
  run: setToolMode,
});

export const listApprovalRulesOperation = defineOperation({
  name: "approvalRules.list",
  method: "GET",
  path: "/approval-rules",
  summary:
    "List what the caller's chats may always do without an approval, one of them or all, newest first",
  scope: "read",
  input: ListApprovalRulesInput,
  output: ApprovalRulePage,
  status: 200,
  run: async ({ db, actor }, { cursor, limit }) => {
    const found = await listApprovalRules(db, { viewer: actor, before: cursor, limit: limit + 1 });
    const rules = found.slice(0, limit);
    const last = found.length > limit ? rules.at(-1) : undefined;
    return { data: rules.map(toWireRule), ...(last && { next_cursor: last.id }) };
  },
});

export const revokeApprovalRuleOperation = defineOperation({
  name: "approvalRules.revoke",
  method: "DELETE",
  path: "/approval-rules/{rule_id}",
  summary: "Ask again before calls that the rule covers, from the next call on",
  scope: "approvals:decide",
  input: z.strictObject({ rule_id: z.string() }),
  output: z.void(),
  status: 204,
  run: (ctx, { rule_id }) => revokeApprovalRule(ctx, { ruleId: rule_id }),
});

const toWireRule = (row: ApprovalRuleRow): ApprovalRule => ({
  id: row.id,
  chat_id: row.chatId,
  chat_title: row.chatTitle,
  tool_name: row.toolName,
  scope: row.scope,
  pattern: row.pattern,
  created_by: row.createdBy,
  created_at: row.createdAt.toISOString(),
});
