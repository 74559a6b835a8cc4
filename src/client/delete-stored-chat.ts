import { localStore } from "./local-store";

/** Deletes what this browser stores about a chat: every value whose key ends with the chat's id. */
export const deleteStoredChat = (chatId: string): void => localStore.deleteByEnd(`.${chatId}`);
