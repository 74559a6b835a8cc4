import { localStore } from "./local-store";
import { useStored } from "./use-stored";

const draftKey = (chatId: string): string => `parley.draft.${chatId}`;

/**
 * What is written but not sent in a chat; survives a reload and is the same in all tabs.
 *
 * @param chatId `new` for the chat that does not exist yet.
 */
export const useDraft = (chatId: string): [string, (text: string) => void] => {
  const [value, set] = useStored(draftKey(chatId));
  return [value ?? "", (text) => set(text === "" ? null : text)];
};

/** Gives a text back whose sending failed, unless something else was written since. */
export const restoreDraft = (chatId: string, text: string): void => {
  if (localStore.get(draftKey(chatId)) === null) localStore.set(draftKey(chatId), text);
};
