import { useMemo } from "react";
import type { SentChoice } from "@/lib/tool-choice";
import { useStoredValue } from "./local-store";

const KEY = "parley.choice.new";
const ALL_TOOLS: SentChoice = { tools: null, groups: [] };

/** Stores the tools that a chat will have which has not been created; like its draft, they survive a reload. */
export const useNewChatChoice = (): [SentChoice, (choice: SentChoice) => void] => {
  const [stored, setStored] = useStoredValue(KEY);
  const choice = useMemo(() => readChoice(stored), [stored]);
  const setChoice = (next: SentChoice): void =>
    setStored(next.tools === null && next.groups.length === 0 ? null : JSON.stringify(next));
  return [choice, setChoice];
};

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
