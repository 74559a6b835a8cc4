import { useMemo } from "react";
import type { SentChoice } from "@/lib/tool-choice";
import { localStore, useStoredValue } from "./local-store";

const KEY = "parley.choice.new";
const ALL_TOOLS: SentChoice = { tools: null, groups: [] };

/** Stores the tools that a chat will have which has not been created; like its draft, they survive a reload. */
export const useNewChatChoice = (): [SentChoice, (choice: SentChoice) => void] => {
  const [stored, setStored] = useStoredValue(KEY);
  const choice = useMemo(() => readChoice(stored), [stored]);
  return [choice, (next) => setStored(formatChoice(next))];
};

/** Restores the choice of a chat that could not be created, unless the person has made another since. */
export const restoreNewChatChoice = ({
  tools = null,
  groups = [],
}: {
  [Kind in keyof SentChoice]?: SentChoice[Kind] | undefined;
}): void => {
  if (localStore.get(KEY) === null) localStore.set(KEY, formatChoice({ tools, groups }));
};

const formatChoice = (choice: SentChoice): string | null =>
  choice.tools === null && choice.groups.length === 0 ? null : JSON.stringify(choice);

/** Another version of the page may have stored it. */
const readChoice = (stored: string | null): SentChoice => {
  if (stored === null) return ALL_TOOLS;
  try {
    const { tools, groups } = JSON.parse(stored) as Partial<Record<keyof SentChoice, unknown>>;
    return { tools: isNames(tools) ? tools : null, groups: isNames(groups) ? groups : [] };
  } catch {
    // No JSON: a write was cut off.
    return ALL_TOOLS;
  }
};

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === "string");
