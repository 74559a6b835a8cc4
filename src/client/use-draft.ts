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

/**
 * Restores a text that could not be sent, unless the person has written another since.
 *
 * @returns whether it did.
 */
export const restoreDraft = (
  chatId: string,
  text: string,
  ignoredNames: readonly string[] = [],
): boolean => {
  if (localStore.get(toDraftKey(chatId)) !== null) return false;
  replaceDraft(chatId, text, ignoredNames);
  return true;
};

type SendOptions = { signal: AbortSignal; context: { onUnreachable: () => void } };

/**
 * Sends the text of a message. While the server cannot be reached, the text is the draft again, so that it is seen and
 * survives the page; a change of the draft then gives the sending up.
 *
 * @param send rejects when its signal is aborted.
 * @returns what `send` returns; undefined if the sending was given up.
 */
export const sendDraft = async <Sent>(
  chatId: string,
  { content, ignoredNames = [] }: { content: string; ignoredNames?: readonly string[] },
  send: (options: SendOptions) => Promise<Sent>,
): Promise<Sent | undefined> => {
  const key = toDraftKey(chatId);
  const giveUp = new AbortController();
  let unsubscribe: (() => void) | undefined;
  const onUnreachable = (): void => {
    if (unsubscribe || !restoreDraft(chatId, content, ignoredNames)) return;
    unsubscribe = localStore.subscribe(key, () => {
      if (localStore.get(key) !== content) giveUp.abort();
    });
  };
  try {
    const sent = await send({ signal: giveUp.signal, context: { onUnreachable } });
    if (unsubscribe) {
      unsubscribe();
      setDraft(chatId, "");
    }
    return sent;
  } catch (error) {
    if (giveUp.signal.aborted) return undefined;
    throw error;
  } finally {
    unsubscribe?.();
  }
};

/** Reads the names that a draft mentions without choosing them: a server may have written its text. */
export const readIgnoredNames = (chatId: string): string[] => {
  const stored = localStore.get(toIgnoredKey(chatId));
  return stored === null ? [] : (JSON.parse(stored) as string[]);
};
