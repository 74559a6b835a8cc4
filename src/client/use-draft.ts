import { useMemo } from "react";
import type { Artifact } from "@/contract/part";
import { localStore, useStoredValue } from "./local-store";

const toDraftKey = (chatId: string): string => `parley.draft.${chatId}`;
const toFilesKey = (chatId: string): string => `parley.draft-files.${chatId}`;
const toIgnoredKey = (chatId: string): string => `parley.draft-ignored.${chatId}`;

/** A message that is being written, or that could not be sent. */
export type Draft = {
  text: string;
  /** On the server already. */
  files?: readonly Artifact[];
  /** See `readIgnoredNames`. */
  ignoredNames?: readonly string[];
};

/**
 * Stores the unsent text of a chat; it survives a reload and is shared by all tabs.
 *
 * @param chatId `new` for a chat that has not been created.
 */
export const useDraft = (chatId: string): [string, (text: string) => void] => {
  const [value] = useStoredValue(toDraftKey(chatId));
  return [value ?? "", (text) => setText(chatId, text)];
};

const setText = (chatId: string, text: string): void => {
  localStore.set(toDraftKey(chatId), text === "" ? null : text);
  if (text === "") localStore.set(toIgnoredKey(chatId), null);
};

/** Reads the files of a draft, as `useDraft` does its text. */
export const useDraftFiles = (chatId: string): readonly Artifact[] => {
  const [value] = useStoredValue(toFilesKey(chatId));
  return useMemo(() => parseFiles(value), [value]);
};

export const readDraftFiles = (chatId: string): readonly Artifact[] =>
  parseFiles(localStore.get(toFilesKey(chatId)));

export const writeDraftFiles = (chatId: string, files: readonly Artifact[]): void =>
  localStore.set(toFilesKey(chatId), files.length === 0 ? null : JSON.stringify(files));

const NO_FILES: readonly Artifact[] = [];

const parseFiles = (stored: string | null): readonly Artifact[] =>
  stored === null ? NO_FILES : (JSON.parse(stored) as Artifact[]);

export const replaceDraft = (
  chatId: string,
  { text, files = [], ignoredNames = [] }: Draft,
): void => {
  setText(chatId, text);
  writeDraftFiles(chatId, files);
  localStore.set(
    toIgnoredKey(chatId),
    ignoredNames.length === 0 ? null : JSON.stringify(ignoredNames),
  );
};

/** Deletes what was sent. Its files stay on the server. */
export const clearDraft = (chatId: string): void => replaceDraft(chatId, { text: "" });

/**
 * Restores a message that could not be sent, unless the person has begun another since.
 *
 * @returns whether it did.
 */
export const restoreDraft = (chatId: string, draft: Draft): boolean => {
  if (DRAFT_KEYS.some((toKey) => localStore.get(toKey(chatId)) !== null)) return false;
  replaceDraft(chatId, draft);
  return true;
};

/** What a person changes of a draft. */
const DRAFT_KEYS = [toDraftKey, toFilesKey];

type SendOptions = { signal: AbortSignal; context: { onUnreachable: () => void } };

/**
 * Sends a message. While the server cannot be reached, it is the draft again, so that it is seen and survives the page; a
 * change of the draft then gives the sending up.
 *
 * @param send rejects when its signal is aborted.
 * @returns what `send` returns; undefined if the sending was given up.
 */
export const sendDraft = async <Sent>(
  chatId: string,
  draft: Draft,
  send: (options: SendOptions) => Promise<Sent>,
): Promise<Sent | undefined> => {
  const giveUp = new AbortController();
  let unsubscribe: (() => void) | undefined;
  const onUnreachable = (): void => {
    if (unsubscribe || !restoreDraft(chatId, draft)) return;
    unsubscribe = subscribeToChange(chatId, () => giveUp.abort());
  };
  try {
    const sent = await send({ signal: giveUp.signal, context: { onUnreachable } });
    if (unsubscribe) {
      unsubscribe();
      clearDraft(chatId);
    }
    return sent;
  } catch (error) {
    if (giveUp.signal.aborted) return undefined;
    throw error;
  } finally {
    unsubscribe?.();
  }
};

const subscribeToChange = (chatId: string, onChange: () => void): (() => void) => {
  const ends = DRAFT_KEYS.map((toKey) => {
    const key = toKey(chatId);
    const value = localStore.get(key);
    return localStore.subscribe(key, () => {
      if (localStore.get(key) !== value) onChange();
    });
  });
  return () => {
    for (const end of ends) end();
  };
};

/** Reads the names that a draft mentions without choosing them: a server may have written its text. */
export const readIgnoredNames = (chatId: string): string[] => {
  const stored = localStore.get(toIgnoredKey(chatId));
  return stored === null ? [] : (JSON.parse(stored) as string[]);
};
