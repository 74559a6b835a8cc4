import type { CallClaim, ClaimedCall, OpenCall } from "@/contract/call";
import type { ChildAction, RequiredAction } from "@/contract/chat";
import { toAnswerSchema } from "@/contract/elicitation";
import {
  type CallClaimRow,
  type ChatRow,
  findHeld,
  getFinalArgs,
  getToolset,
  type OpenCallRow,
  type ToolCallPartRow,
} from "@/server/db/chats/rows";
import type { ChatWithCalls } from "@/server/db/sql/reads/chat-reads";
import type { ListedCallRow } from "@/server/db/sql/reads/open-call-reads";

/** @returns null unless the chat is parked and has open calls. */
export const toWireRequiredAction = (
  row: ChatRow,
  openCalls: readonly OpenCallRow[],
): RequiredAction | null => {
  const [first] = openCalls;
  if (row.status !== "requires_action" || row.actionDeadlineAt === null || !first) return null;
  return {
    deadline_at: row.actionDeadlineAt.toISOString(),
    message_id: first.messageId,
    tool_calls: openCalls
      .filter(({ state }) => state === "awaiting_result")
      .map((call) =>
        toWireOpenCall({
          ...call,
          chatId: row.id,
          rootChatId: row.rootChatId,
          tool:
            call.definition ?? row.dynamicTools.find(({ name }) => name === call.toolName) ?? null,
        }),
      ),
    approvals: openCalls
      .filter(({ state }) => state === "awaiting_approval")
      .map((call) => ({ ...toIdentity(call), approval_scope: call.approvalScope })),
  };
};

const toIdentity = ({ toolCallId, toolName, deadlineAt, ...call }: ToolCallPartRow) => ({
  tool_call_id: toolCallId,
  tool_name: toolName,
  args: getFinalArgs(call),
  ...(deadlineAt && { deadline_at: deadlineAt.toISOString() }),
});

export const toWireOpenCall = ({ tool, ...call }: Omit<ListedCallRow, "index">): OpenCall => ({
  ...toIdentity(call),
  ...toWireToolset(call),
  chat_id: call.chatId,
  root_chat_id: call.rootChatId,
  message_id: call.messageId,
  ...(tool?.description !== undefined && { description: tool.description }),
  ...(tool?.output_schema !== undefined && { output_schema: tool.output_schema }),
  ...toWireElicitation(call),
  labels: call.labels,
  opened_at: call.startedAt.toISOString(),
  attempt: call.claim?.attempt ?? 1,
  claim: toWireClaim(findHeld(call.claim)),
});

const toWireToolset = (call: ToolCallPartRow): Pick<OpenCall, "toolset"> => {
  const toolset = getToolset(call);
  return toolset === undefined ? {} : { toolset };
};

const toWireClaim = (claim: CallClaimRow | null): CallClaim | null =>
  claim && {
    holder: claim.holder,
    claimed_at: claim.claimedAt.toISOString(),
    expires_at: claim.expiresAt.toISOString(),
    ...(claim.progress && { progress: claim.progress }),
  };

/** @throws {Error} for a call that its receiver has not claimed. */
export const toWireClaimedCall = (call: ListedCallRow): ClaimedCall => {
  const open = toWireOpenCall(call);
  const token = call.claim?.token;
  if (!open.claim || !token) throw new Error(`the call ${call.toolCallId} is not claimed`);
  return { ...open, claim: { ...open.claim, token } };
};

export const toWireChildAction = ({ chat, openCalls }: ChatWithCalls): ChildAction[] => {
  const action = toWireRequiredAction(chat, openCalls);
  return action ? [{ chat_id: chat.id, title: chat.title, ...action }] : [];
};

/** What a call asks, and the schema of the answer. */
const toWireElicitation = ({ elicitations }: ToolCallPartRow) => {
  const last = elicitations?.at(-1);
  if (!last) return undefined;
  const elicitation = { ...last, number: elicitations?.length ?? 0 };
  return { output_schema: toAnswerSchema(last), elicitation };
};
