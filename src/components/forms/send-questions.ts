import { type Command, findCommandWord } from "@/lib/commands";
import type { Question } from "@/components/ui/use-confirm";

/**
 * Asks before a text that begins like a command is sent to the model.
 *
 * @returns undefined for any other text, and for a command that there is.
 */
export const toCommandQuestion = (
  text: string,
  commands: readonly Command[] = [],
): Question | undefined => {
  const word = findCommandWord(text);
  return word === undefined || commands.some(({ name }) => name === word)
    ? undefined
    : {
        title: `There is no command /${word}`,
        message: "Send the text to the model as it is, or change it first.",
        confirmLabel: "Send as a message",
        dismissLabel: "Keep editing",
        isDestructive: false,
      };
};

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
