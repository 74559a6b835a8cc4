import type { MessageView, PartView, ToolCallView } from "@/contract/chat-view";
import type { FilePart, ReasoningPart, SourcePart, TextPart } from "@/contract/part";
import { isDelivering } from "./turn-work";

/** Parts that are rendered together: adjacent sources form one list, and many adjacent calls one group. */
export type PartGroup = {
  key: string;
  /** The index of its first part. */
  index: number;
} & (
  | { type: "text"; part: TextPart }
  | { type: "reasoning"; part: ReasoningPart }
  | { type: "tool_call"; part: ToolCallView }
  | { type: "tool_calls"; parts: ToolCallView[] }
  | { type: "sources"; parts: SourcePart[] }
);

/** Groups non-empty parts in order. A tool call has the same key in the preview and when committed. */
export const groupParts = (parts: readonly PartView[]): PartGroup[] => {
  const groups: PartGroup[] = [];
  parts.forEach((part, index) => {
    const last = groups.at(-1);
    const key = `${part.type}-${index}`;
    switch (part.type) {
      case "text":
      case "reasoning":
        if (part.text !== "") groups.push({ key, index, type: part.type, part } as PartGroup);
        break;
      case "tool_call":
        if (!isDeferred(part)) {
          groups.push({ key: part.tool_call_id, index, type: "tool_call", part });
        }
        break;
      case "source":
        if (last?.type === "sources") last.parts.push(part);
        else groups.push({ key, index, type: "sources", parts: [part] });
        break;
      case "report":
      case "summary":
      case "file":
        // Reports and boundaries are messages of their own, and only those of people have files.
        break;
    }
  });
  return groups.reduce(joinCalls, []);
};

/** A provider runs it before its next answer, which has it again with its result. */
const isDeferred = ({ kind, output }: ToolCallView): boolean =>
  kind === "provider" && output === null;

/** Fewer calls in a row are short enough to be read one by one. */
const MIN_GROUPED_CALLS = 5;

const joinCalls = (groups: PartGroup[], group: PartGroup): PartGroup[] => {
  if (group.type !== "tool_call" || isDelivering(group.part)) return [...groups, group];
  const last = groups.at(-1);
  if (last?.type === "tool_calls") {
    last.parts.push(group.part);
    return groups;
  }
  const others = groups.slice(-(MIN_GROUPED_CALLS - 1));
  const calls = others.flatMap((other) =>
    other.type === "tool_call" && !isDelivering(other.part) ? [other.part] : [],
  );
  const [first] = others;
  if (!first || calls.length < MIN_GROUPED_CALLS - 1) return [...groups, group];
  const parts = [...calls, group.part];
  const key = `calls-${first.key}`;
  return [
    ...groups.slice(0, -calls.length),
    { key, index: first.index, type: "tool_calls", parts },
  ];
};

/** A step that made calls and said nothing. */
const isOnlyCalls = ({ role, parts }: MessageView): boolean =>
  role === "assistant" && parts.length > 0 && parts.every(({ type }) => type === "tool_call");

type JoinedSteps = { steps: readonly MessageView[]; message: MessageView };

/** By the last step; the same message until a step changes, so that its memoized row does not render. */
const joinedByLastStep = new WeakMap<MessageView, JoinedSteps>();

/** Joins adjacent steps that only made calls into one message with all their calls. */
export const joinCallSteps = (messages: readonly MessageView[]): MessageView[] => {
  const runs: MessageView[][] = [];
  for (const message of messages) {
    const run = runs.at(-1);
    if (run?.every(isOnlyCalls) && isOnlyCalls(message)) run.push(message);
    else runs.push([message]);
  }
  return runs.flatMap(joinSteps);
};

const joinSteps = (steps: readonly MessageView[]): MessageView[] => {
  const [first] = steps;
  const last = steps.at(-1);
  if (!first || !last || first === last) return [...steps];
  const joined = joinedByLastStep.get(last);
  if (joined?.steps.length === steps.length && joined.steps.every((step, i) => step === steps[i])) {
    return [joined.message];
  }
  const { id, seq, alternatives } = first;
  const own = { id, seq, ...(alternatives && { alternatives }) };
  const message = { ...last, ...own, parts: steps.flatMap(({ parts }) => parts), steps };
  joinedByLastStep.set(last, { steps, message });
  return [message];
};

/** Returns the files that a person has sent with a message. */
export const listFiles = ({ parts }: Pick<MessageView, "parts">): FilePart[] =>
  parts.filter((part) => part.type === "file");

/** Returns the text parts of a message, without tool calls and reasoning. */
export const toMessageText = ({ parts }: Pick<MessageView, "parts">): string =>
  parts
    .flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : []))
    .join("\n\n");
