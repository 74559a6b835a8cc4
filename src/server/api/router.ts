import { createKey, listKeys, revokeKey } from "./operations/api-keys";
import {
  createChatOperation,
  deleteChatOperation,
  getChat,
  listChatsOperation,
  reconcile,
  updateChatOperation,
} from "./operations/chats";
import { getAdvisorConfigOperation, setAdvisorConfigOperation } from "./operations/config";
import { editMessageOperation, listMessagesOperation, send } from "./operations/messages";
import { listModelsOperation } from "./operations/models";
import { deleteQueuedOperation, promote } from "./operations/queue";
import { decide, interrupt, regenerateOperation, submitResults } from "./operations/turn";
import { watchAll } from "./operations/watch-all";
import { watchChat } from "./operations/watch-chat";
import { mutation, query, router, subscription } from "./trpc";

/** The same operations as under `/api/v1`, as procedures. */
export const appRouter = router({
  chats: router({
    create: mutation(createChatOperation),
    list: query(listChatsOperation),
    get: query(getChat),
    update: mutation(updateChatOperation),
    delete: mutation(deleteChatOperation),
    regenerate: mutation(regenerateOperation),
    interrupt: mutation(interrupt),
    submitToolResults: mutation(submitResults),
    decideApprovals: mutation(decide),
    reconcile: mutation(reconcile),
    watch: subscription(watchChat),
    watchAll: subscription(watchAll),
  }),
  messages: router({
    list: query(listMessagesOperation),
    send: mutation(send),
    edit: mutation(editMessageOperation),
  }),
  queue: router({
    delete: mutation(deleteQueuedOperation),
    promote: mutation(promote),
  }),
  models: router({ list: query(listModelsOperation) }),
  config: router({
    getAdvisor: query(getAdvisorConfigOperation),
    setAdvisor: mutation(setAdvisorConfigOperation),
  }),
  apiKeys: router({
    create: mutation(createKey),
    list: query(listKeys),
    revoke: mutation(revokeKey),
  }),
});
export type AppRouter = typeof appRouter;
