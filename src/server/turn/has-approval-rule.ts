import { matchesPattern } from "@/lib/command-pattern";
import { hasExactRule, hashScope, listPatternRules } from "@/server/db/chats/approval-rule-reads";
import type { ChatAccess } from "@/server/db/chats/viewer";
import type { Queryable } from "@/server/db/connection/database";
import { readPatternedScope } from "@/server/tools/approval-scope";
import type { ApprovableCall } from "@/server/tools/prepare-call";

/** Whether a rule of the chat, or of its owner for all chats, covers a call, by committed state. */
export const hasApprovalRule = async (
  db: Queryable,
  chat: ChatAccess & { rootChatId: string },
  { toolName, scope, patternKey }: ApprovableCall,
): Promise<boolean> => {
  if (await hasExactRule(db, { chat, toolName, scope })) return true;
  const patterned = readPatternedScope(scope, patternKey);
  if (!patterned) return false;
  const { text, withPattern } = patterned;
  const rules = await listPatternRules(db, { chat, toolName });
  return rules.some(
    ({ pattern, scope: covered }) =>
      matchesPattern(pattern, text) &&
      hashScope({ scope: withPattern(pattern), pattern }) ===
        hashScope({ scope: covered, pattern }),
  );
};
