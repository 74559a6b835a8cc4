import type { ServerContext } from "@/server/context";
import { endAbandonedCalls, resumeQuestionCall } from "@/server/chat/question-calls";
import { clearContext, undoBoundary } from "@/server/chat/change-boundary";
import { compactChat } from "@/server/chat/compact-chat";
import { createChat } from "@/server/chat/create-chat";
import { decideNext, getLocalCalls } from "@/server/turn/decide-next";
import { deleteQueued, promoteQueued } from "@/server/chat/change-queue";
import { editMessage } from "@/server/chat/edit-message";
import { expireAction } from "@/server/chat/expire-action";
import { interruptChat } from "@/server/chat/interrupt-chat";
import { continueChat } from "@/server/chat/continue-chat";
import { regenerate } from "@/server/chat/regenerate";
import { sendMessage } from "@/server/chat/send-message";
import { submitToolResult } from "@/server/chat/submit-tool-result";
import { submitToolResults } from "@/server/chat/submit-tool-results";
import { updateChat } from "@/server/chat/update-chat";
import type { ChatRow, PartRow, ToolCallPartRow } from "@/server/db/chats/rows";
import type { CallTimeout } from "@/server/db/sql/rows/part-columns";
import { claimChats, releaseChat } from "@/server/db/sql/machine/claim";
import { toFence } from "@/server/db/sql/machine/fence";
import { commitStep, settleCalls } from "@/server/db/sql/machine/turn-commits";
import { commitSummary } from "@/server/db/sql/machine/summary-commits";
import { deferChat, recordRetry } from "@/server/db/sql/machine/turn-retries";
import { takeSteering } from "@/server/turn/take-steering";
import { measureMessage } from "@/server/machine/measure-message";
import { findSummary, splitHistory } from "@/server/machine/model-history";
import { failTurn, finishInterruption, finishTurn } from "@/server/turn/end-turn";
import { expectChoice, listAlternatives } from "./alternatives";
import { readChat, readWholeHistory } from "./chat-probe";
import { toolCall } from "./tool-call";
import { passDeadlines } from "./park-chat";
import { createProgram, type ProgramOp } from "./program-ops";

const pickOf = <Item>(items: readonly Item[], pick: number): Item | undefined =>
  items[pick % Math.max(items.length, 1)];

const toTestResult = ({ toolCallId, kind }: ToolCallPartRow) => ({
  toolCallId,
  isError: false,
  output: kind === "mcp" ? { action: "decline" } : null,
});

/** Each call has another deadline. */
const toTestTimeouts = (calls: readonly ToolCallPartRow[]): CallTimeout[] =>
  calls.map(({ toolCallId }, index) => ({ toolCallId, timeoutSeconds: 60 + index }));

/** What clients and workers do to a chat, by what they know of it. */
export type Op =
  | ProgramOp
  | { op: "send"; busy: "queue" | "interrupt" | "reject" | "steer" }
  | {
      op: "edit" | "promote" | "steer" | "deleteQueued" | "choose" | "answerOne" | "expireOne";
      pick: number;
    }
  | {
      op:
        | "regenerate"
        | "continue"
        | "compact"
        | "clear"
        | "undo"
        | "interrupt"
        | "answer"
        | "archive"
        | "unarchive"
        | "expire"
        | "abandon"
        | "withdraw"
        | "crash";
    }
  | {
      op:
        | "claim"
        | "settle"
        | "steered"
        | "interrupted"
        | "fail"
        | "retry"
        | "defer"
        | "release"
        | "summarize";
      worker: 0 | 1;
    }
  | { op: "commit"; worker: 0 | 1; calls: CallKind[] };

export type CallKind = "builtin" | "dynamic" | "question" | "refused" | "wait";

/** The states of calls without an outcome. */
export const OPEN = new Set(["running", "awaiting_result", "awaiting_approval", "awaiting_agents"]);

const CALLS = {
  dynamic: { toolName: "ask" },
  builtin: { toolName: "current_time", kind: "builtin", state: "running" },
  /** Waits for agents, if the chat has any. */
  wait: { toolName: "wait_agent", kind: "builtin", state: "running" },
  /** A call as a worker leaves it after its server has asked. */
  question: {
    toolName: "server_ask",
    kind: "mcp",
    elicitations: [{ message: "?", requested_schema: { type: "object", properties: {} } }],
  },
  refused: {
    toolName: "current_time",
    kind: "builtin",
    state: "error",
    isError: true,
    output: "refused",
    resolvedBy: "worker",
    completedAt: new Date(0),
  },
} satisfies Record<CallKind, Partial<ToolCallPartRow>>;

const call = (toolCallId: string, kind: CallKind): ToolCallPartRow =>
  toolCall({ toolCallId, ...CALLS[kind] });

/** Already due, so that the next claim gets the chat. */
const RETRY = {
  attempt: 2,
  delay_ms: 0,
  kind: "overloaded" as const,
  message: "busy",
  failures: 1,
  paid_failures: 0,
};

export const completed = (): Promise<Partial<ToolCallPartRow>> =>
  Promise.resolve({
    state: "completed",
    output: "done",
    resolvedBy: "worker",
    completedAt: new Date(0),
  });

type WorldOptions = {
  /** What a worker makes of a call that runs. */
  getOutcome?: (call: ToolCallPartRow) => Promise<Partial<ToolCallPartRow>>;
};

/** Two workers and several clients on one chat, each with what it knew when it last looked. */
export const createWorld = async (
  ctx: ServerContext,
  { getOutcome = completed }: WorldOptions = {},
) => {
  const { db } = ctx;
  const { id } = await createChat(ctx, {
    content: [{ type: "text", text: "start" }],
    dynamicTools: [{ name: CALLS.dynamic.toolName, repeatable: true, max_attempts: 2 }],
  });
  const program = createProgram(ctx, id);
  const held: [ChatRow | undefined, ChatRow | undefined] = [undefined, undefined];
  const content = [{ type: "text" as const, text: "more" }];

  const queuedId = async (at: number): Promise<string> => {
    const rows = await db.prisma.queuedMessage.findMany({
      where: { chatId: id },
      orderBy: { position: "asc" },
    });
    return rows[at % Math.max(rows.length, 1)]?.id ?? ctx.newId();
  };

  /** Whether a summary was asked for, which comes before any answer. */
  const isCompacting = async (): Promise<boolean> =>
    (await readChat(db, id)).compaction?.status === "requested";

  const commitAs = async (at: 0 | 1, calls: CallKind[]) => {
    const chat = held[at];
    const last = (await readWholeHistory(db, id)).at(-1);
    // The loop decides from history: it settles open calls before it asks for another step.
    if (!chat || !last || getLocalCalls(last).some(({ state }) => OPEN.has(state))) return;
    if (await isCompacting()) return;
    const parts: PartRow[] = [
      { type: "text", text: "answer" },
      ...calls.map((kind) => call(`call_${ctx.newId()}`, kind)),
    ];
    const next = decideNext(
      {
        history: [{ ...last, role: "assistant", parts }],
        chat: {
          compaction: null,
          turnSteps: 1,
          maxSteps: 100,
          queuedCount: 0,
          autoSubmitSuccess: true,
          autoSubmitError: false,
        },
      },
      { stopsTurn: new Set(), autoSubmit: new Map() },
    );
    const committed = await commitStep(db, toFence(chat), {
      step: {
        messageId: ctx.newId(),
        usageId: ctx.newId(),
        model: "scripted/scripted",
        parts,
        usage: { input_tokens: 1, output_tokens: 1 },
        costMicros: 0,
        finishReason:
          next.type === "finish" && next.reason === "auto_submit_off" ? "auto-submit-off" : "stop",
        responseId: null,
      },
      after:
        next.type === "park"
          ? { type: "park", timeouts: toTestTimeouts(next.calls) }
          : { type: next.type === "finish" ? "finish" : "continue" },
    });
    if (!committed) return void (held[at] = undefined);
    held[at] = committed.chat.leaseToken === chat.leaseToken ? committed.chat : undefined;
    if (next.type === "finish" && held[at]) {
      await finishTurn(ctx, committed.chat);
      held[at] = undefined;
    }
  };

  const settleAs = async (at: 0 | 1) => {
    const chat = held[at];
    const last = (await readWholeHistory(db, id)).at(-1);
    if (!chat || last?.role !== "assistant") return;
    const running = getLocalCalls(last).filter(({ state }) => state === "running");
    if (running.length === 0) return;
    const waiting = getLocalCalls(last).filter(({ state }) => state === "awaiting_result");
    const settled = await settleCalls(db, toFence(chat), {
      messageId: last.id,
      calls: await Promise.all(
        running.map(async (part) => ({ ...part, ...(await getOutcome(part)) })),
      ),
      uses: [],
      after:
        waiting.length > 0
          ? { type: "park", timeouts: toTestTimeouts(waiting) }
          : { type: "continue" },
    });
    held[at] = settled?.chat.leaseToken === chat.leaseToken ? settled.chat : undefined;
  };

  const listAwaited = async () => {
    const last = (await readWholeHistory(db, id)).at(-1);
    return last ? getLocalCalls(last).filter(({ state }) => state === "awaiting_result") : [];
  };

  const expire = async (calls: readonly ToolCallPartRow[]): Promise<void> => {
    await passDeadlines(
      db,
      id,
      calls.map(({ toolCallId }) => toolCallId),
    );
    await expireAction(db, id, ctx.newId);
  };

  /** Writes a summary before a step, or because a person has asked for it. */
  const summarizeAs = async (at: 0 | 1) => {
    const chat = held[at];
    const history = await readWholeHistory(db, id);
    const last = history.at(-1);
    if (!chat || !last || getLocalCalls(last).some(({ state }) => OPEN.has(state))) return;
    const { compaction } = await readChat(db, id);
    const isOver = compaction?.status === "requested" && compaction.rests;
    const { summed, carried, tail } = splitHistory(history, {
      turnId: chat.turnId,
      isOver,
      maxTailBytes: 100,
      measure: (message) => measureMessage(message),
    });
    if (summed.length === carried.length) return;
    const kept = [...carried, ...tail].map(({ seq }) => seq);
    const data = { reason: "automatic", kept, tokens_before: 2, tokens_after: 1 } as const;
    const committed = await commitSummary(db, toFence(chat), {
      summary: {
        messageId: ctx.newId(),
        model: "scripted/scripted",
        parts: [
          { type: "summary", data },
          { type: "text", text: "a summary" },
        ],
        uses: [],
        contextTokens: 1,
      },
      after: isOver ? "finish" : "continue",
    });
    if (!committed) return void (held[at] = undefined);
    if (!isOver) return void (held[at] = committed.chat);
    held[at] = undefined;
    if (committed.chat.status === "running") await finishTurn(ctx, committed.chat);
  };

  const as = async (at: 0 | 1, action: (chat: ChatRow) => Promise<unknown>, keeps = false) => {
    const chat = held[at];
    if (!chat) return;
    await action(chat);
    if (!keeps) held[at] = undefined;
  };

  /** As before the next call of the model, when no call is open. */
  const steeredAs = async (at: 0 | 1) => {
    const chat = held[at];
    const last = (await readWholeHistory(db, id)).at(-1);
    if (!chat || (last && getLocalCalls(last).some(({ state }) => OPEN.has(state)))) return;
    if (await isCompacting()) return;
    const taken = await takeSteering(ctx, chat);
    held[at] = taken === "lost" ? undefined : taken.chat;
  };

  const interruptedAs = async (at: 0 | 1) => {
    const last = (await readWholeHistory(db, id)).at(-1);
    // While calls of a committed step run, or a summary is written, no other step is generated.
    const generates =
      !(await isCompacting()) &&
      (!last || getLocalCalls(last).every(({ state }) => !OPEN.has(state)));
    const parts = [{ type: "text" as const, text: "half" }, call(`call_${ctx.newId()}`, "builtin")];
    const partial = { model: "scripted/scripted", parts };
    await as(at, (chat) => finishInterruption(ctx, chat, generates ? { partial } : {}));
  };

  const run = async (op: Op): Promise<void> => {
    switch (op.op) {
      case "send":
        return void (await sendMessage(ctx, { chatId: id, content, busyBehavior: op.busy }));
      case "edit": {
        const users = (await readWholeHistory(db, id)).filter(({ role }) => role === "user");
        const target = users[op.pick % Math.max(users.length, 1)];
        return void (await editMessage(ctx, {
          chatId: id,
          messageId: target?.id ?? ctx.newId(),
          content,
        }));
      }
      case "choose": {
        const ids = await listAlternatives(ctx, id);
        const messageId = ids[op.pick % Math.max(ids.length, 1)] ?? ctx.newId();
        return expectChoice(ctx, { chatId: id, messageId });
      }
      case "promote":
        return promoteQueued(ctx, { chatId: id, queuedId: await queuedId(op.pick) });
      case "steer":
        return promoteQueued(ctx, {
          chatId: id,
          queuedId: await queuedId(op.pick),
          behavior: "steer",
        });
      case "deleteQueued":
        return deleteQueued(ctx, { chatId: id, queuedId: await queuedId(op.pick) });
      case "regenerate":
        await regenerate(ctx, { chatId: id });
        return;
      case "continue":
        await continueChat(ctx, { chatId: id });
        return;
      case "compact":
        return compactChat(ctx, { chatId: id });
      case "clear":
        return clearContext(ctx, { chatId: id });
      case "undo": {
        const boundary = (await readWholeHistory(db, id)).findLast((message) =>
          findSummary(message),
        );
        return undoBoundary(ctx, { chatId: id, messageId: boundary?.id ?? ctx.newId() });
      }
      case "summarize":
        return summarizeAs(op.worker);
      case "interrupt":
        return void (await interruptChat(ctx, { chatId: id }));
      case "answer":
        return submitToolResults(ctx, {
          chatId: id,
          results: (await listAwaited()).map(toTestResult),
        });
      case "answerOne": {
        const call = pickOf(await listAwaited(), op.pick);
        if (!call) return;
        const result = toTestResult(call);
        return submitToolResult(ctx, { chatId: id, messageId: undefined, result });
      }
      case "claimCall":
      case "answerClaimed":
      case "renewClaim":
      case "releaseClaim":
      case "loseLease":
        return program.run(op, await listAwaited());
      case "abandon":
        return endAbandonedCalls({ db, newId: ctx.newId, owner: "another" });
      case "withdraw": {
        const last = (await readWholeHistory(db, id)).at(-1);
        const asked = last && getLocalCalls(last).find(({ kind }) => kind === "mcp");
        return resumeQuestionCall(
          { db, newId: ctx.newId },
          { chatId: id, toolCallId: asked?.toolCallId ?? "", questionCount: 1 },
        );
      }
      case "archive":
      case "unarchive":
        return void (await updateChat(ctx, { chatId: id, archived: op.op === "archive" }));
      case "expire":
        return expire(await listAwaited());
      case "expireOne":
        return expire([pickOf(await listAwaited(), op.pick)].filter((call) => call !== undefined));
      case "crash":
        return void (await db.prisma.chat.updateMany({
          where: { id, leaseToken: { not: null } },
          data: { leaseExpiresAt: new Date(0) },
        }));
      case "claim": {
        const mine = (await claimChats(db, { owner: `worker-${op.worker}`, limit: 10_000 })).find(
          (chat) => chat.id === id,
        );
        return void (held[op.worker] = mine ?? held[op.worker]);
      }
      case "commit":
        return commitAs(op.worker, op.calls);
      case "settle":
        return settleAs(op.worker);
      case "steered":
        return steeredAs(op.worker);
      case "interrupted":
        return interruptedAs(op.worker);
      case "fail":
        return as(op.worker, (chat) =>
          failTurn(ctx, chat, { error: { kind: "auth", message: "no", retryable: false } }),
        );
      case "retry":
        return as(op.worker, (chat) => recordRetry(db, toFence(chat), RETRY), true);
      case "defer":
        return as(op.worker, (chat) => deferChat(db, toFence(chat), RETRY));
      case "release":
        return as(op.worker, (chat) =>
          releaseChat(db, { chatId: id, leaseToken: chat.leaseToken ?? "" }),
        );
    }
  };
  return { id, held, run };
};
