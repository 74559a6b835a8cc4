import type { ApprovalRule } from "@/contract/approval-rule";
import type { FieldTexts, SchemaTexts } from "./schema-texts";
import { SHARED } from "./shared";

export const APPROVAL_RULE_TEXTS = {
  ApprovalRule: {
    id: ["The id of the rule."],
    chat_id: [
      "The id of the root chat; the rule is for its agents, too. Null if it is for all chats of the person.",
      "0198c0de-0000-7000-8000-000000000001",
    ],
    chat_title: ["The title of the chat; null without one chat.", "Deploy v12"],
    tool_name: SHARED.tool_name,
    scope: ["What the calls have in common; null for every call of the tool.", null],
    pattern: [
      "What one text of the scope must match, which has the pattern in its place; null for exactly the same scope.",
      "npm run *",
    ],
    created_by: SHARED.created_by,
    created_at: ["When the rule was made."],
  } satisfies FieldTexts<ApprovalRule>,
  "approvalRules.revoke": {
    rule_id: ["The id of the rule.", "0198c0de-0000-7000-8000-000000000008"],
  },
} satisfies SchemaTexts;
