import {
  chooseBranch,
  limitBranches,
  readContextTokens,
  repeatMessages,
  replaceAnswer,
  replaceMessagesFrom,
} from "@/server/db/sql/machine/branch-writes";
import { cancelReplacedTasks, returnReports } from "@/server/db/sql/machine/task-writes";
import type { Change } from "./change";
import { beginTurn, closeCalls, enterReports } from "./enter-history";

/** Replaces the target and all after it. */
export const replaceFromTarget = async (change: Change): Promise<void> => {
  const { tx, chat, version, payload } = change;
  // They would be open again if the branch is chosen.
  await closeCalls(change);
  await replaceMessagesFrom(tx, {
    chatId: chat.id,
    seq: payload.targetSeq ?? 0,
    revision: version,
  });
  await endReplacement(change);
};

/** Replaces the answer of the last turn, which begins anew. */
export const replaceLastAnswer = async (change: Change): Promise<void> => {
  const { tx, chat, version, payload } = change;
  const newTurnId = beginTurn(change);
  const steering = await replaceAnswer(tx, {
    chatId: chat.id,
    turnId: chat.turnId,
    newTurnId,
    revision: version,
    parameters: payload.parameters,
  });
  await endReplacement(change);
  if (change.reportGrowth > 0) await enterReports(change, newTurnId);
  await repeatSteering(change, steering);
};

/** Brings a branch back in place of what follows its split. */
export const chooseReplaced = async (change: Change): Promise<void> => {
  const { tx, chat, version, payload } = change;
  if (!payload.chosen) throw new Error("there is no branch to choose");
  const branch = { ...payload.chosen, chatId: chat.id, revision: version };
  change.newTurnId = await chooseBranch(tx, branch);
  await endReplacement(change);
  if (change.reportGrowth > 0) await enterReports(change, change.newTurnId);
  change.contextTokens = await readContextTokens(tx, chat.id);
};

/** What follows from messages that this transition has replaced. */
const endReplacement = async (change: Change): Promise<void> => {
  const { tx, chat, version } = change;
  change.historyChanged = true;
  change.alternativeCount = await limitBranches(tx, chat.id);
  // Nearly every chat has no tasks.
  if (chat.taskVersion === 0) return;
  const replaced = { chatId: chat.id, revision: version };
  const { reports, ...cancelled } = await cancelReplacedTasks(tx, replaced);
  change.cancelled = cancelled;
  change.reportGrowth += (await returnReports(tx, replaced)) - reports;
};

/** Messages that entered the turn while it ran are for the new answer as well. */
const repeatSteering = async (change: Change, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  const { tx, chat, version, payload } = change;
  await repeatMessages(tx, {
    ids,
    newIds: ids.map(() => payload.newId()),
    seq: chat.lastSeq + change.newMessages + 1,
    turnId: beginTurn(change),
    revision: version,
  });
  change.newMessages += ids.length;
};
