import { localStore, useStoredValue } from "./local-store";

const toDraftKey = (chatId: string): string => `parley.draft.${chatId}`;
const toIgnoredKey = (chatId: string): string => `parley.draft-ignored.${chatId}`;

/**
 * Stores the unsent text of a chat; it survives a reload and is shared by all tabs.
 *
 * @param chatId `new` for a chat that has not been created.
 */
export const useDraft = (chatId: string): [string, (text: string) => void] => {
  const [value] = useStoredValue(toDraftKey(chatId));
  return [value ?? "", (text) => setDraft(chatId, text)];
};

const setDraft = (chatId: string, text: string): void => {
  localStore.set(toDraftKey(chatId), text === "" ? null : text);
  if (text === "") localStore.set(toIgnoredKey(chatId), null);
};

/** @param ignoredNames see `readIgnoredNames`. */
export const replaceDraft = (
  chatId: string,
  text: string,
  ignoredNames: readonly string[],
): void => {
  setDraft(chatId, text);
  localStore.set(
    toIgnoredKey(chatId),
    ignoredNames.length === 0 ? null : JSON.stringify(ignoredNames),
  );
};

export const deleteDraft = (chatId: string): void => setDraft(chatId, "");

/** Restores a text that could not be sent, unless the person has written another since. */
export const restoreDraft = (
  chatId: string,
  text: string,
  ignoredNames: readonly string[] = [],
): void => {
  if (localStore.get(toDraftKey(chatId)) === null) replaceDraft(chatId, text, ignoredNames);
};

/** Reads the names that a draft mentions without choosing them: a server may have written its text. */
export const readIgnoredNames = (chatId: string): string[] => {
  const stored = localStore.get(toIgnoredKey(chatId));
  return stored === null ? [] : (JSON.parse(stored) as string[]);
};
