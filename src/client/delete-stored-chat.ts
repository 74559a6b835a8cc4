import { deleteCallDrafts } from "./call-drafts";
import { deleteAnswerDrafts } from "./use-answer-drafts";
import { deleteDraft } from "./use-draft";

/** Deletes what this browser stores about a chat. */
export const deleteStoredChat = (chatId: string): void => {
  deleteDraft(chatId);
  deleteAnswerDrafts(chatId);
  deleteCallDrafts(chatId);
};
