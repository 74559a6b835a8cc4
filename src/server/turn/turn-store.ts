import { hasApprovalRule } from "@/server/db/chats/approval-rule-reads";
import type { RecentChanges } from "@/server/db/chats/recent-changes";
import type { RecentHistories } from "@/server/db/chats/recent-histories";
import type { ChatRow, MessageRow } from "@/server/db/chats/rows";
import { releaseChat } from "@/server/db/sql/machine/claim";
import type { Fence } from "@/server/db/sql/machine/fence";
import { settledParts } from "@/server/db/sql/rows/part-columns";
import {
  commitStep,
  restChat,
  settleCalls,
  startApprovedCalls,
} from "@/server/db/sql/machine/turn-commits";
import { deferChat, recordAttempt, recordRetry } from "@/server/db/sql/machine/turn-retries";
import { recordLostUses } from "@/server/db/sql/writes/usage";
import type { AgentDeps } from "@/server/agents/agent-outcome";
import { waitForAgents } from "@/server/agents/wait-for-agents";
import { failTurn, finishInterruption, finishTurn } from "./finish-turn";
import { takeTurnReports, wakeChat } from "@/server/tasks/task-reports";
import type { TurnStore } from "./turn-deps";

type StoreDeps = AgentDeps & { recent: RecentChanges; histories: RecentHistories };

/** Creates the database operations of one turn. */
export const createTurnStore = (deps: StoreDeps): TurnStore => {
  const { db, newId, recent, histories } = deps;
  /** The answer that this turn has committed last, as it would be read now. */
  let last: MessageRow | undefined;
  /** Caches a transition that wrote no message. */
  const remember = (chat: ChatRow | undefined): ChatRow | undefined => {
    if (chat) recent.add({ chat, messages: [] });
    return chat;
  };
  return {
    readHistory: histories.read,
    rememberHistory: ({ chat, history }, bytes) => histories.add(chat, history, bytes),
    commitStep: async (chat, commit) => {
      const committed = await commitStep(db, toFence(chat), commit);
      last = committed?.message;
      if (committed) recent.add({ chat: committed.chat, messages: [committed.message] });
      return committed;
    },
    settleCalls: async (chat, commit) => {
      const settled = await settleCalls(db, toFence(chat), commit);
      if (settled) db.reportEnded({ chatId: chat.id, calls: commit.calls });
      if (settled && last?.id === commit.messageId) {
        const parts = settledParts(last.parts, commit.calls);
        last = { ...last, revision: settled.chat.version, parts };
        recent.add({ chat: settled.chat, messages: [last] });
      }
      return settled;
    },
    hasApprovalRule: ({ rootChatId }, call) => hasApprovalRule(db, { rootChatId, ...call }),
    startApprovedCalls: (chat, calls) => startApprovedCalls(db, toFence(chat), calls),
    rest: (chat, rest) => restChat(db, toFence(chat), rest),
    recordRetry: async (chat, retry) => remember(await recordRetry(db, toFence(chat), retry)),
    defer: async (chat, retry) => remember(await deferChat(db, toFence(chat), retry)),
    recordAttempt: async (chat) => remember(await recordAttempt(db, toFence(chat))),
    takeReports: async (chat) => {
      const taken = await takeTurnReports({ db, newId }, chat);
      if (taken) recent.add({ chat: taken.chat, messages: taken.message ? [taken.message] : [] });
      return taken;
    },
    waitForAgents: (chat, message) => waitForAgents(deps, chat, message),
    wake: async (chatId) => void (await wakeChat({ db, newId }, chatId)),
    reportEnded: ({ id: chatId }, calls) => db.reportEnded({ chatId, calls }),
    finishTurn: (chat) => finishTurn(db, chat, newId),
    finishInterruption: (chat, partial) => finishInterruption(db, chat, { partial, newId }),
    failTurn: (chat, error, partial) => failTurn(db, chat, { error, partial, newId }),
    recordLostUses: async (chat, uses) => {
      remember(await recordLostUses(db, chat, uses));
    },
    release: (chat) => releaseChat(db, { chatId: chat.id, leaseToken: requireLease(chat) }),
  };
};

const toFence = (chat: ChatRow): Fence => ({
  chatId: chat.id,
  leaseToken: requireLease(chat),
  historyVersion: chat.historyVersion,
});

const requireLease = ({ id, leaseToken }: ChatRow): string => {
  if (leaseToken === null) throw new Error(`chat ${id} is worked on without a lease`);
  return leaseToken;
};
