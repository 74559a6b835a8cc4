import type { ChatStatus } from "@/contract/chat";
import type { Api } from "../e2e/api";
import { waitUntil } from "../e2e/wait-until";
import type { TrackedChat } from "./ledger";

/** A chat that waits for agents goes on by itself. */
const RESTING: readonly ChatStatus[] = ["waiting", "requires_action", "error"];

/** A turn that ends while a report comes is followed at once by another; one that was stopped keeps the report. */
const HELD_BACK_MS = 1_000;

/** Waits until a chat and its agents rest, and its stream has shown it. */
export const waitForRest = async (
  api: Api,
  chat: TrackedChat,
  timeoutMs: number,
): Promise<void> => {
  const { id } = chat;
  let seen = { version: -1, at: 0 };
  await waitUntil(`the chat ${id} and its agents rest`, timeoutMs, async () => {
    const tasks = await api.tasks(id);
    const { status, version, waiting_reports: reports } = await api.chat(id);
    if (version !== seen.version) seen = { version, at: performance.now() };
    const open = tasks.filter(({ ended_at }) => ended_at === null);
    const isHeldBack = reports === 0 || performance.now() - seen.at > HELD_BACK_MS;
    if (open.length === 0 && isHeldBack && RESTING.includes(status)) return true;
    throw new Error(`it is ${status} with ${reports} reports and ${JSON.stringify(open)}`);
  });
  await waitUntil(`the stream of ${id} is caught up`, timeoutMs, async () => {
    const { version } = await api.chat(id);
    return (chat.view.isCaughtUp && chat.view.version === version) || undefined;
  });
  await waitUntil(`the stream of ${id} shows its agents`, timeoutMs, async () => {
    const [tasks, agents] = await Promise.all([api.tasks(id), api.children(id)]);
    if (isSame(chat.view.tasks, tasks) && isSame(chat.view.agents, agents)) return true;
    throw new Error(`it shows ${JSON.stringify([chat.view.tasks, chat.view.agents])}`);
  });
};

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
