import type { Question } from "@/components/ui/use-confirm";

/** A word after a slash, alone or followed by a space; a path such as `/etc/hosts` is none. */
const COMMAND = /^\/[a-z][\w-]*(?=\s|$)/i;

/**
 * Asks before a text that begins like a command is sent to the model.
 *
 * @returns undefined for any other text.
 */
export const toCommandQuestion = (text: string): Question | undefined => {
  const command = COMMAND.exec(text.trimStart())?.[0];
  return command === undefined
    ? undefined
    : {
        title: `There is no command ${command}`,
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
