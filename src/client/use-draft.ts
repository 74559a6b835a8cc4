import { localStore, useStoredValue } from "./local-store";

const toDraftKey = (chatId: string): string => `parley.draft.${chatId}`;

/**
 * Stores the unsent text of a chat; it survives a reload and is shared by all tabs.
 *
 * @param chatId `new` for a chat that has not been created.
 */
export const useDraft = (chatId: string): [string, (text: string) => void] => {
  const [value, setValue] = useStoredValue(toDraftKey(chatId));
  return [value ?? "", (text) => setValue(text === "" ? null : text)];
};

export const deleteDraft = (chatId: string): void => localStore.set(toDraftKey(chatId), null);

/** Restores a text that could not be sent, unless the person has written another since. */
export const restoreDraft = (chatId: string, text: string): void => {
  if (localStore.get(toDraftKey(chatId)) === null) localStore.set(toDraftKey(chatId), text);
};
