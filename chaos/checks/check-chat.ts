import { isDeepStrictEqual } from "node:util";
import type { Chat } from "@/contract/chat";
import type { Message } from "@/contract/message";
import type { ToolCallPart, ToolCallState } from "@/contract/part";
import type { Api } from "../../e2e/api";
import type { Ledger, Removal, SentMessage, Submission, TrackedChat } from "../ledger";

type Report = (kind: "lost" | "doubled" | "stuck", text: string) => void;

const IS_OPEN: Record<ToolCallState, boolean> = {
  running: true,
  awaiting_result: true,
  awaiting_approval: true,
  awaiting_agents: true,
  completed: false,
  error: false,
  cancelled: false,
  timed_out: false,
  denied: false,
};

const isToolCall = (part: Message["parts"][number]): part is ToolCallPart =>
  part.type === "tool_call";

const joinText = (parts: readonly { type: string; text?: string }[]): string =>
  parts.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("");

/** Compares a chat that rests with what its clients have received. @returns its messages. */
export const checkChat = async (
  api: Api,
  ledger: Ledger,
  chat: TrackedChat,
): Promise<readonly Message[]> => {
  const now = await api.chat(chat.id);
  const { messages, queued } = await api.history(chat.id);
  const report: Report = (kind, text) => {
    ledger.report(kind, `${text} (chat ${chat.id})`, chat);
  };
  const texts = [
    ...messages.filter(({ role }) => role === "user").map(({ parts }) => joinText(parts)),
    ...queued.map(({ content }) => joinText(content)),
  ];
  for (const message of chat.messages) checkSentMessage(chat, message, { texts, report });
  const outputs = messages.flatMap(({ parts }) =>
    parts.filter(isToolCall).map(({ output }) => JSON.stringify(output)),
  );
  for (const submission of chat.submissions) {
    checkSubmission(chat, submission, { outputs, report });
  }
  checkAcceptedOnce(chat, report);
  checkStructure(now, messages, report);
  if (now.status === "waiting" && queued.length > 0 && !now.queue_paused) {
    report("stuck", "a message is queued although the chat waits and its queue is not paused");
  }
  checkView(chat, { messages, queued }, report);
  return messages;
};

/** True if a removal may have come after something that began at this time. */
const isAfter = (removal: Removal, startedAt: number): boolean =>
  removal.outcome !== "refused" && removal.endedAt >= startedAt;

const checkSentMessage = (
  { removals }: TrackedChat,
  { text, outcome, seq, startedAt }: SentMessage,
  { texts, report }: { texts: readonly string[]; report: Report },
): void => {
  const count = texts.filter((one) => one === text).length;
  const removers = removals.filter((removal) => {
    if (removal.type === "regenerate" || !isAfter(removal, startedAt)) return false;
    if (removal.type === "delete-queued") return removal.text === text;
    return seq === undefined || seq >= removal.fromSeq;
  });
  if (outcome === "acknowledged" && removers.length === 0 && count === 0) {
    report("lost", `the message "${text}" was acknowledged and is gone`);
  }
  if (outcome === "refused" && count > 0) {
    report("lost", `the message "${text}" was refused but is there`);
  }
  if (count > 1) report("doubled", `the message "${text}" is there ${count} times`);
};

const checkSubmission = (
  { removals }: TrackedChat,
  { output, outcome, startedAt, toolCallId }: Submission,
  { outputs, report }: { outputs: readonly string[]; report: Report },
): void => {
  const text = JSON.stringify(output);
  const count = outputs.filter((one) => one === text).length;
  const canBeRemoved = removals.some((removal) => isAfter(removal, startedAt));
  if (outcome === "acknowledged" && count === 0 && !canBeRemoved) {
    report("lost", `the result ${text} of ${toolCallId} was acknowledged and is gone`);
  }
  if (outcome === "refused" && count > 0) {
    report("lost", `the result ${text} of ${toolCallId} was refused but is stored`);
  }
  if (count > 1) report("doubled", `the result ${text} of ${toolCallId} is stored ${count} times`);
};

const checkAcceptedOnce = ({ submissions }: TrackedChat, report: Report): void => {
  const accepted = submissions.filter(({ outcome }) => outcome === "acknowledged");
  const ids = accepted.map(({ toolCallId }) => toolCallId);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) report("doubled", `two results of ${repeated} were accepted`);
};

const checkStructure = (
  { status, last_error: error }: Chat,
  messages: readonly Message[],
  report: Report,
): void => {
  const seqs = messages.map(({ seq }) => seq);
  if (seqs.some((seq, index) => seq <= (seqs[index - 1] ?? 0))) {
    report("doubled", `the messages are numbered ${seqs.join(" ")}`);
  }
  for (const message of messages) {
    const canBeOpen = message === messages.at(-1) && status === "requires_action";
    for (const call of message.parts.filter(isToolCall)) checkCall(call, canBeOpen, report);
  }
  if ((status === "error") !== Boolean(error?.message)) {
    report("lost", `the chat is ${status} and its error says "${error?.message ?? ""}"`);
  }
  if (countAnswersPerMessage(messages) > 1) report("doubled", "a user message was answered twice");
};

const checkCall = (
  { tool_call_id: id, state, output }: ToolCallPart,
  canBeOpen: boolean,
  report: Report,
): void => {
  if (IS_OPEN[state] && (!canBeOpen || state === "running")) {
    report("stuck", `the call ${id} is ${state}, but its chat does not wait for it`);
  }
  // What waits for agents says for which.
  const hasOutput = !IS_OPEN[state] || state === "awaiting_agents";
  if (hasOutput !== (output !== undefined)) {
    report(
      "lost",
      `the call ${id} is ${state} and ${output === undefined ? "has no" : "has an"} output`,
    );
  }
};

/** @returns the highest number of final answers between two user messages. */
const countAnswersPerMessage = (messages: readonly Message[]): number => {
  let max = 0;
  let count = 0;
  for (const { role, finish_reason } of messages) {
    // A report asks for an answer, as a message of the user does.
    if (role !== "assistant") count = 0;
    else if (finish_reason === "stop") count += 1;
    max = Math.max(max, count);
  }
  return max;
};

/** A message that has an answer by now is not sent again for that. */
const withoutFormerAnswers = <Viewed extends Pick<Message, "former_answers">>(
  { former_answers: former, ...message }: Viewed,
  index: number,
  messages: readonly Viewed[],
) => (former && index === messages.length - 1 ? { ...message, former_answers: former } : message);

/** Compares what the stream has sent with what the API answers. */
const checkView = (
  { view }: TrackedChat,
  { messages, queued }: Awaited<ReturnType<Api["history"]>>,
  report: Report,
): void => {
  const viewed = view.messages.map(withoutFormerAnswers);
  const at = messages.findIndex((message, index) => !isDeepStrictEqual(viewed[index], message));
  if (at !== -1 || viewed.length !== messages.length) {
    const [sent, stored] = [viewed, messages].map((all) => JSON.stringify(all.at(at)));
    report("lost", `the stream has sent another message:\n${sent}\n${stored}`);
  }
  if (!isDeepStrictEqual(view.chat?.queue, queued))
    report("lost", "the stream has sent another queue");
  if (Object.keys(view.preview.parts).length > 0) {
    report("stuck", "the stream still shows a preview");
  }
};
