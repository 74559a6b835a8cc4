import { setTimeout as pause } from "node:timers/promises";
import { applyEvent } from "@/client/apply-event";
import type { Api } from "../e2e/api";
import {
  type Action,
  type ActionDeps,
  createChat,
  deleteQueued,
  editMessage,
  interrupt,
  promoteQueued,
  regenerate,
  sendMessage,
  stopAgent,
  submitResults,
} from "./actions";
import { runClaimedCalls, submitOneResult } from "./claim-actions";
import { createKeyedPost } from "./keyed-request";
import type { Ledger, TrackedChat } from "./ledger";
import type { Random } from "./random";

/** How often each action is chosen. Results are submitted most, as they let parked chats go on. */
const ACTIONS: [Action, number][] = [
  [createChat, 10],
  [submitResults, 25],
  [submitOneResult, 15],
  [runClaimedCalls, 20],
  [sendMessage, 20],
  [interrupt, 6],
  [stopAgent, 6],
  [editMessage, 4],
  [regenerate, 4],
  [promoteQueued, 3],
  [deleteQueued, 3],
];
const CHOICES = ACTIONS.flatMap(([action, weight]) => Array<Action>(weight).fill(action));

/** A client that loses its stream connects again after this time. */
const RECONNECT_MS = 100;

export type ChaosClients = ReturnType<typeof createClients>;

/** Creates clients that act on chats at random and record the outcomes. */
export const createClients = (given: { api: Api; ledger: Ledger; random: Random }) => {
  const { api, random } = given;
  let count = 0;
  const deps: ActionDeps = { ...given, post: createKeyedPost(given), nextNumber: () => count++ };
  return {
    create: (): Promise<void> => createChat(deps),
    /** Runs a random action on one of the chats. */
    runRandomAction: async (candidates: readonly TrackedChat[]): Promise<void> => {
      const chat = random.pick(candidates);
      if (chat) await random.pick(CHOICES)?.(deps, chat);
    },
    /** Follows the stream of a chat, from the last known version after each loss of the connection. */
    followStream: async (chat: TrackedChat, signal: AbortSignal): Promise<void> => {
      while (!signal.aborted) {
        try {
          for await (const event of api.stream(chat.id, chat.view.version, signal)) {
            chat.view = event.type === "goodbye" ? chat.view : applyEvent(chat.view, event);
          }
        } catch {
          // The server is away; nothing is lost, as the next stream begins at the version.
        }
        await pause(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
      }
    },
  };
};
