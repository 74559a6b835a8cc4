import type { ChatStatus } from "@/contract/chat";
import type { Api } from "../e2e/api";
import { waitUntil } from "../e2e/wait-until";
import type { TrackedChat } from "./ledger";

/** A chat that waits for agents goes on by itself. */
const RESTING: readonly ChatStatus[] = ["waiting", "requires_action", "error"];

/** Waits until a chat and its agents rest, and its stream has shown it. */
export const waitForRest = async (
  api: Api,
  chat: TrackedChat,
  timeoutMs: number,
): Promise<void> => {
  const { id } = chat;
  await waitUntil(`the chat ${id} and its agents rest`, timeoutMs, async () => {
    const tasks = await api.tasks(id);
    const now = await api.chat(id);
    const open = tasks.filter(({ ended_at }) => ended_at === null);
    if (open.length === 0 && RESTING.includes(now.status)) return true;
    throw new Error(`it is ${now.status} with the tasks ${JSON.stringify(open)}`);
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
