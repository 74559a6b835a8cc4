import * as z from "zod";
import {
  CallLease,
  ClaimedCall,
  ClaimedCalls,
  OpenCallPage,
  ToolCallDeadline,
} from "@/contract/call";
import {
  ClaimToolCallInput,
  ClaimToolCallsInput,
  ExtendToolCallInput,
  ListToolCallsInput,
  ReleaseClaimInput,
  RenewClaimInput,
  SubmitToolResultInput,
  SubmitToolResultsInput,
} from "@/contract/call-inputs";
import { MAX_RESULTS_BODY_BYTES } from "@/contract/limits";
import {
  claimOpenCall,
  claimOpenCalls,
  type ClaimedRow,
  limitFilter,
} from "@/server/chat/claim-calls";
import { extendCall } from "@/server/chat/extend-call";
import { releaseCallClaim, renewCallClaim } from "@/server/chat/renew-claim";
import { submitToolResult } from "@/server/chat/submit-tool-result";
import { requireRunner } from "@/server/chat/toolset-runner";
import { submitToolResults } from "@/server/chat/submit-tool-results";
import type { ServerContext } from "@/server/context";
import { listOpenCalls } from "@/server/db/sql/reads/open-call-reads";
import { holdRequest } from "@/server/api/long-polls";
import { defineOperation } from "@/server/api/operation";
import type { OperationContext } from "@/server/api/operation-context";
import { toWireClaimedCall, toWireOpenCall } from "@/server/api/wire-call";

export const listToolCallsOperation = defineOperation({
  name: "toolCalls.list",
  method: "GET",
  path: "/tool-calls",
  summary: "List the open dynamic tool calls of all chats and their agents, the oldest first",
  scope: "calls:answer",
  input: ListToolCallsInput,
  output: OpenCallPage,
  status: 200,
  run: async ({ db, actor: viewer }, { tool, toolset, label, claimed, cursor, limit }) => {
    const tools = tool === undefined ? undefined : [tool];
    const filter = limitFilter(viewer, { tools, toolset, labels: label });
    const query = { viewer, filter, claimed, cursor, limit };
    const { calls, nextCursor } = await listOpenCalls(db, query);
    return {
      data: calls.map(toWireOpenCall),
      ...(nextCursor !== undefined && { next_cursor: nextCursor }),
    };
  },
});

export const claimToolCallsOperation = defineOperation({
  name: "toolCalls.claimSome",
  method: "POST",
  path: "/tool-calls/claim",
  summary: "Claim open dynamic tool calls of all chats and their agents, or wait for one",
  scope: "calls:answer",
  input: ClaimToolCallsInput,
  output: ClaimedCalls,
  status: 200,
  ignoresIdempotencyKey: true,
  run: async (ctx, { lease_seconds, wait_seconds, toolset_version, ...input }) => {
    const { holder, tools, toolset, labels, limit, resume } = input;
    const filter = limitFilter(ctx.actor, { tools, toolset, labels });
    const leave = toolset
      ? await enterRunner(ctx, { toolset, holder, version: toolset_version })
      : undefined;
    const wanted = { holder, leaseSeconds: lease_seconds, limit, resume, filter };
    const claim = () => claimOpenCalls(ctx, wanted);
    const key = JSON.stringify(filter);
    const wait = async (signal: AbortSignal): Promise<void> => {
      claimed = await ctx.claims.wait(ctx.actor, { key, claim, signal });
    };
    let claimed: readonly ClaimedRow[] = [];
    let isDelivered = false;
    try {
      if (wait_seconds === 0) claimed = (await claim()).calls;
      else await holdRequest(ctx, wait_seconds, wait);
      isDelivered = !ctx.signal.aborted;
      return { data: claimed.map(toWireClaimedCall) };
    } finally {
      leave?.();
      if (!isDelivered) await giveBack(ctx, claimed);
    }
  },
});

/** Lets the program count as connected. @returns what to call when its request ends. */
const enterRunner = async (
  ctx: OperationContext,
  program: Parameters<typeof requireRunner>[1],
): Promise<() => void> => {
  const { arrived, leave } = ctx.runners.enter(await requireRunner(ctx, program));
  await arrived;
  return leave;
};

/**
 * Releases calls whose tokens nobody will read, as the client is gone or its key has ended meanwhile; others would wait for the end
 * of its leases. What the client had claimed before stays its own: it may have begun that.
 */
const giveBack = async (ctx: ServerContext, calls: readonly ClaimedRow[]): Promise<void> => {
  for (const { chatId, toolCallId, claim, isResumed } of calls) {
    if (isResumed || !claim?.token) continue;
    await releaseCallClaim(ctx, { chatId, toolCallId, token: claim.token, retryAfterSeconds: 0 });
  }
};

export const claimToolCallOperation = defineOperation({
  name: "toolCalls.claim",
  method: "POST",
  path: "/chats/{chat_id}/tool-calls/{tool_call_id}/claim",
  summary: "Claim one open dynamic tool call",
  scope: "calls:answer",
  input: ClaimToolCallInput,
  output: ClaimedCall,
  status: 200,
  ignoresIdempotencyKey: true,
  run: async (ctx, { chat_id, tool_call_id, message_id, holder, lease_seconds }) =>
    toWireClaimedCall(
      await claimOpenCall(ctx, {
        chatId: chat_id,
        toolCallId: tool_call_id,
        messageId: message_id,
        holder,
        leaseSeconds: lease_seconds,
      }),
    ),
});

export const renewClaimOperation = defineOperation({
  name: "toolCalls.heartbeat",
  method: "POST",
  path: "/chats/{chat_id}/tool-calls/{tool_call_id}/heartbeat",
  summary: "Keep a claimed call, and say how far its program is",
  scope: "calls:answer",
  input: RenewClaimInput,
  output: CallLease,
  status: 200,
  ignoresIdempotencyKey: true,
  run: async (ctx, { chat_id, tool_call_id, token, lease_seconds, progress }) => {
    const { expiresAt, deadlineAt } = await renewCallClaim(ctx, {
      chatId: chat_id,
      toolCallId: tool_call_id,
      token,
      leaseSeconds: lease_seconds,
      progress,
    });
    return {
      expires_at: expiresAt.toISOString(),
      ...(deadlineAt && { deadline_at: deadlineAt.toISOString() }),
    };
  },
});

export const releaseClaimOperation = defineOperation({
  name: "toolCalls.release",
  method: "POST",
  path: "/chats/{chat_id}/tool-calls/{tool_call_id}/release",
  summary: "Give a claimed call back, for other programs",
  scope: "calls:answer",
  input: ReleaseClaimInput,
  output: z.void(),
  status: 204,
  run: (ctx, { chat_id, tool_call_id, token, retry_after_seconds }) =>
    releaseCallClaim(ctx, {
      chatId: chat_id,
      toolCallId: tool_call_id,
      token,
      retryAfterSeconds: retry_after_seconds,
    }),
});

export const submitToolResultsOperation = defineOperation({
  name: "chats.submitToolResults",
  method: "POST",
  path: "/chats/{chat_id}/tool-results",
  summary:
    "Answer all open dynamic tool calls, and questions of MCP servers, of the chat or its agents",
  scope: "calls:answer",
  input: SubmitToolResultsInput,
  output: z.void(),
  status: 204,
  maxBodyBytes: MAX_RESULTS_BODY_BYTES,
  run: (ctx, { chat_id, results }) =>
    submitToolResults(ctx, {
      chatId: chat_id,
      results: results.map(
        ({ chat_id: of, tool_call_id, is_error, claim_token, file_ids, ...result }) => ({
          ...result,
          chatId: of,
          toolCallId: tool_call_id,
          isError: is_error,
          claimToken: claim_token,
          fileIds: file_ids,
        }),
      ),
    }),
});

export const submitToolResultOperation = defineOperation({
  name: "toolCalls.submitResult",
  method: "POST",
  path: "/chats/{chat_id}/tool-calls/{tool_call_id}/result",
  summary: "Answer one open dynamic tool call, or the question of an MCP server",
  scope: "calls:answer",
  input: SubmitToolResultInput,
  output: z.void(),
  status: 204,
  maxBodyBytes: MAX_RESULTS_BODY_BYTES,
  run: (ctx, { chat_id, message_id, tool_call_id, is_error, token, file_ids, ...result }) =>
    submitToolResult(ctx, {
      chatId: chat_id,
      messageId: message_id,
      result: {
        ...result,
        toolCallId: tool_call_id,
        isError: is_error,
        claimToken: token,
        fileIds: file_ids,
      },
    }),
});

export const extendToolCallOperation = defineOperation({
  name: "toolCalls.extend",
  method: "POST",
  path: "/chats/{chat_id}/tool-calls/{tool_call_id}/extend",
  summary: "Give a call that waits for its result more time, or less",
  scope: "calls:answer",
  input: ExtendToolCallInput,
  output: ToolCallDeadline,
  status: 200,
  run: async (ctx, { chat_id, tool_call_id, deadline_at }) => {
    const deadlineAt = new Date(deadline_at);
    await extendCall(ctx, { chatId: chat_id, toolCallId: tool_call_id, deadlineAt });
    return { deadline_at: deadlineAt.toISOString() };
  },
});
