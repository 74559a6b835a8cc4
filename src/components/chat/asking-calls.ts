import type { MessageView } from "@/contract/chat-view";

/** A call that began a task. */
export type AskingCall = {
  toolName: string;
  /** The `seq` of its message. */
  seq: number;
};

/** By the ids of the calls. */
export type AskingCalls = Readonly<Record<string, AskingCall>>;

/** Finds the calls that began the tasks whose reports a message has; those of messages that are not loaded are missing. */
export const findAskingCalls = (
  messages: readonly MessageView[],
  { parts }: Pick<MessageView, "parts">,
): AskingCalls => {
  const ids = new Set(parts.flatMap((part) => (part.type === "report" ? part.tool_call_id : [])));
  return Object.fromEntries(
    messages.flatMap(({ seq, parts: others }) =>
      others.flatMap((part) =>
        part.type === "tool_call" && ids.has(part.tool_call_id)
          ? [[part.tool_call_id, { toolName: part.tool_name, seq }]]
          : [],
      ),
    ),
  );
};

/** Calls do not change, and their messages come and go with them. */
export const hasSameCalls = (
  before: AskingCalls | undefined,
  after: AskingCalls | undefined,
): boolean => Object.keys(before ?? {}).join() === Object.keys(after ?? {}).join();
