import { type SlashCommand, findCommandWord } from "@/lib/commands";
import type { Question } from "@/components/ui/use-confirm";

/** The commands that there are, as far as that is known. */
export type KnownCommands = {
  known: readonly SlashCommand[];
  /** Sentences about servers whose commands are missing. */
  notices: readonly string[];
  /** Why they could not be loaded. */
  problem?: string | undefined;
};

const NO_COMMANDS: KnownCommands = { known: [], notices: [] };

/**
 * Asks before a text that begins like a command is sent to the model.
 *
 * @returns undefined for any other text, and for a known command.
 */
export const toCommandQuestion = (
  text: string,
  { known, notices, problem }: KnownCommands = NO_COMMANDS,
): Question | undefined => {
  const word = findCommandWord(text);
  if (word === undefined || known.some(({ name }) => name === word)) return undefined;
  const server = findServer(word);
  if (server === undefined) return toQuestion(`There is no command /${word}`);
  if (problem !== undefined) return toQuestion("The commands could not be loaded", problem);
  const reasons = notices.filter((notice) => notice.includes(`MCP server "${server}"`));
  return reasons.length > 0
    ? toQuestion(`The command /${word} is not available`, ...reasons)
    : toQuestion(`There is no command /${word}`);
};

/** The same for a text that was sent before, in which commands are not replaced. */
export const toEditedCommandQuestion = (text: string): Question | undefined => {
  const word = findCommandWord(text);
  return word === undefined || findServer(word) === undefined
    ? toCommandQuestion(text)
    : toQuestion("Commands can only be used in new messages");
};

/** Finds the server whose command a word may be; all commands name one. */
const findServer = (word: string): string | undefined =>
  word.includes(":") ? word.split(":", 1)[0] : undefined;

const toQuestion = (title: string, ...reasons: readonly string[]): Question => ({
  title,
  message: [...reasons, "Send the text to the model as it is, or change it first."].join(" "),
  confirmLabel: "Send as a message",
  dismissLabel: "Keep editing",
  isDestructive: false,
});

/** What a person is about to do while calls are open, as the end of a sentence. */
const CANCELLING = { send: "send this now", stop: "stop now" } as const;

/** Asks before open calls end without the answer that they wait for. */
export const toCancelQuestion = (openCalls: number, action: keyof typeof CANCELLING): Question => {
  const calls = openCalls === 1 ? "the call" : `the ${openCalls} calls`;
  return {
    title: openCalls === 1 ? "Cancel the open call?" : `Cancel the ${openCalls} open calls?`,
    message: `The agent waits for your answer. If you ${CANCELLING[action]}, ${calls} ${openCalls === 1 ? "ends" : "end"} without one.`,
    confirmLabel: `Cancel ${calls} and ${action}`,
    dismissLabel: "Keep waiting",
    isDestructive: true,
  };
};
