import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, useId } from "react";
import type { ChatStatus } from "@/contract/chat";
import { isBusy } from "@/contract/chat-status";
import type { BusyBehavior } from "@/contract/chat-inputs";
import { MAX_TEXT_LENGTH } from "@/contract/limits";
import type { Model } from "@/contract/model";
import type { Mentionable } from "@/lib/mentions";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useConfirm } from "@/components/ui/use-confirm";
import { AttachButton } from "./attach-button";
import { ComposerActions } from "./composer-actions";
import type { ComposerAttachments } from "./composer-files";
import { Attachments } from "./attachments";
import { ComposerText } from "./composer-text";
import { type KnownCommands, toCancelQuestion, toCommandQuestion } from "./send-questions";
import { isShortcut, SHORTCUTS } from "@/components/ui/shortcuts";
import { isComposing, readEnter } from "@/components/ui/text-focus";
import { lazyParts } from "@/components/ui/lazy-parts";

const MentionChips = lazyParts(() => import("./mention-chips"));

type ComposerProps = {
  value: string;
  onChange: (value: string) => void;
  /** `interrupt` stops the running turn for the message. */
  onSend: (text: string, busyBehavior: BusyBehavior) => void;
  onStop: () => void;
  /** Cancels the edit of an earlier message, or else stops the running turn. */
  onEscape: () => void;
  /** Enter without text sends the first queued message. */
  onPromoteFirst: () => void;
  /** The arrow key up without text edits the person's last message; absent if that cannot be changed. */
  onEditLast?: (() => void) | undefined;
  status: ChatStatus;
  queuedCount: number;
  /** True after a stop, until a message is sent. */
  isQueuePaused: boolean;
  /** How many calls wait for this person; they are not cancelled without a question. */
  openCalls: number;
  /** How many calls of agents of the chat do: Stop cancels them, too, and a message does not. */
  agentCalls?: number;
  /** Fills an open call that takes text with the text; absent without such a call. */
  onUseAsAnswer?: ((text: string) => void) | undefined;
  /** True while the message is sent to the server. */
  isSending: boolean;
  /** Why no message can be sent in this chat. */
  disabledReason?: string | undefined;
  /** Why the server rejected the last message. */
  error?: string | undefined;
  modelPicker?: ReactNode;
  /** The button of the settings of answers, beside it. */
  answerSettings?: ReactNode;
  autoFocus?: boolean;
  mentions?: ComposerMentions;
  /** Absent where a message can have no files. */
  attachments?: ComposerAttachments;
  /** Which gets the message. */
  model?: Model | undefined;
  /** What a text may begin with, after a slash; any other word there is asked about before it is sent. */
  commands?: KnownCommands;
};

/** What a person can choose for the chat by an `@` and a name, and what is chosen. */
export type ComposerMentions = {
  known: readonly Mentionable[];
  chosen: readonly Mentionable[];
  onChoose: (mentioned: Mentionable) => void;
  onRemove: (chosen: Mentionable) => void;
};

/**
 * The input for messages, of one row while the text fits next to the buttons. Notes on what is written and errors appear
 * above it, because it is at the lower edge of the page and its buttons must not move while a person presses them. What
 * becomes of a message has a line of its own.
 */
export const Composer = (props: ComposerProps) => {
  const [question, ask] = useConfirm();
  const send = (behavior: BusyBehavior): void => {
    const command = toCommandQuestion(props.value, props.commands);
    const deliver = (): void => props.onSend(props.value, behavior);
    const confirmCancel = (): void =>
      behavior === "interrupt" && props.openCalls > 0
        ? ask(toCancelQuestion(props.openCalls, "send"), deliver)
        : deliver();
    if (command) ask(command, confirmCancel);
    else confirmCancel();
  };
  const stop = (): void => {
    const calls = props.openCalls + (props.agentCalls ?? 0);
    if (calls > 0) ask(toCancelQuestion(calls, "stop"), props.onStop);
    else props.onStop();
  };
  return (
    <div className="grid min-w-0 gap-2">
      {props.error !== undefined && <Alert tone="danger" announce="alert" title={props.error} />}
      <Frame {...props} send={send} onStop={stop} hasActiveTurn={isBusy(props.status)} />
      {question}
    </div>
  );
};

type FrameProps = ComposerProps & {
  send: (behavior: BusyBehavior) => void;
  hasActiveTurn: boolean;
};

const Frame = (props: FrameProps) => {
  const { value, openCalls, disabledReason, mentions } = props;
  const id = useId();
  const deliveryId = useId();
  const messageError = validateMessage(value);
  const note = messageError ?? toTextNote(props);
  return (
    <>
      {note !== undefined && (
        <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
          <Note id={id} note={note} isError={messageError !== undefined} />
          <UseAsAnswer {...props} />
        </div>
      )}
      <div
        className={clsx(
          "relative grid min-w-0 rounded-xl border transition-colors focus-within:border-accent",
          // The form of open calls comes first.
          openCalls > 0 && value === "" ? "bg-surface" : "bg-raised",
          messageError === undefined ? "border-border-field" : "border-danger",
        )}
      >
        {mentions && mentions.chosen.length > 0 && (
          <MentionChips {...mentions} disabled={disabledReason !== undefined} />
        )}
        <Attachments {...props} disabled={disabledReason !== undefined} />
        <div className="flex min-w-0 flex-wrap items-end">
          <ComposerText
            {...toCompletions(props)}
            value={value}
            onChange={props.onChange}
            onKeyDown={(event) => handleKey(event, props)}
            onPasteFiles={props.attachments?.onAdd}
            placeholder={disabledReason ?? toPlaceholder(props)}
            disabled={disabledReason !== undefined}
            isInvalid={messageError !== undefined}
            describedBy={note === undefined ? deliveryId : id}
            autoFocus={props.autoFocus ?? false}
          />
          <Actions {...props} />
        </div>
      </div>
      <p id={deliveryId} className="min-h-[1lh] px-4 text-note text-muted">
        {toDeliveryNote(props)}
      </p>
    </>
  );
};

const Actions = (props: FrameProps) => (
  <div className="ml-auto max-w-full min-w-0 p-1.5 pl-0">
    <ComposerActions
      stop={toStop(props)}
      onStop={props.onStop}
      onSend={() => props.send("queue")}
      canSend={isSendable(props)}
      isSending={props.isSending}
    >
      {props.attachments && (
        <AttachButton
          onAdd={props.attachments.onAdd}
          disabled={props.disabledReason !== undefined}
        />
      )}
      <div className="max-w-52 min-w-0 max-sm:max-w-36">{props.modelPicker}</div>
      {props.answerSettings}
    </ComposerActions>
  </div>
);

const toCompletions = ({ mentions, commands }: FrameProps) => ({
  mentionables: mentions?.known,
  onMention: mentions?.onChoose,
  commands: commands?.known,
});

const UseAsAnswer = (props: FrameProps) =>
  props.onUseAsAnswer &&
  isSendable(props) && (
    <Button size="sm" onClick={() => props.onUseAsAnswer?.(props.value)}>
      Use this as the answer
    </Button>
  );

const toStop = ({ status, hasActiveTurn }: FrameProps): "none" | "possible" | "pending" => {
  if (!hasActiveTurn) return "none";
  return status === "interrupting" ? "pending" : "possible";
};

const toPlaceholder = ({ openCalls, hasActiveTurn }: FrameProps): string => {
  if (openCalls > 0) return "Answer above, or write the next message";
  return hasActiveTurn ? "Write the next message" : "Write a message";
};

const isSendable = (props: ComposerProps): boolean =>
  props.disabledReason === undefined &&
  !props.isSending &&
  !isEmpty(props) &&
  findUnsent(props) === undefined &&
  validateMessage(props.value) === undefined;

/** Without a text, a message needs a file. */
const isEmpty = ({ value, attachments }: ComposerProps): boolean =>
  value.trim() === "" && (attachments?.items.length ?? 0) === 0;

/** @returns a file that is not on the server: the message waits for it. */
const findUnsent = ({ attachments }: ComposerProps) =>
  attachments?.items.find(({ state }) => state !== "ready");

/** @returns why a text cannot be sent, as a sentence; undefined if it can or if it is blank. */
export const validateMessage = (text: string): string | undefined => {
  const excess = text.length - MAX_TEXT_LENGTH;
  if (excess > 0) {
    return `Too long by ${excess.toLocaleString("en")} ${excess === 1 ? "character" : "characters"}.`;
  }
  if (text.includes("\0")) return "The text has a NUL character, which cannot be sent.";
  return text.isWellFormed()
    ? undefined
    : "Remove the incomplete character, such as half an emoji.";
};

const handleKey = (event: KeyboardEvent, props: FrameProps): void => {
  if (props.value === "" && props.onEditLast && isEditLast(event)) {
    event.preventDefault();
    props.onEditLast();
  }
  const action = toKeyAction(event);
  if (action === undefined) return;
  event.preventDefault();
  if (action === "escape") props.onEscape();
  else if (isSendable(props)) {
    const isWorking = props.hasActiveTurn && props.status !== "interrupting";
    props.send(isWorking ? BEHAVIOR[action] : "queue");
  } else if (isEmpty(props) && props.queuedCount > 0) props.onPromoteFirst();
};

/** What becomes of a message that a key sends while a turn is under way. */
const BEHAVIOR = {
  send: "queue",
  "send-now": "interrupt",
  steer: "steer",
} as const satisfies Record<string, BusyBehavior>;

type NoteProps = { id: string; note: ReactNode; isError: boolean };

const Note = ({ id, note, isError }: NoteProps) => (
  <p
    id={id}
    role={isError ? "alert" : undefined}
    className={clsx("px-4 text-note", isError ? "text-danger" : "text-muted")}
  >
    {note}
  </p>
);

/** @returns the effect of sending the text while calls are open. */
const toTextNote = (props: FrameProps): string | undefined => {
  const unsent = findUnsent(props);
  if (unsent) {
    return unsent.state === "uploading"
      ? "The message can be sent when its files are on the server."
      : "Remove the file that could not be sent, or send it again.";
  }
  return props.openCalls > 0 && !isEmpty(props)
    ? "Sent now, this waits for the open calls to end."
    : undefined;
};

/** @returns the effect of sending a message now; undefined if the model gets it at once. */
const toDeliveryNote = ({
  status,
  openCalls,
  isQueuePaused,
  hasActiveTurn,
}: FrameProps): ReactNode => {
  if (!hasActiveTurn) {
    return isQueuePaused ? "A message sent now comes first, then the queue goes on." : undefined;
  }
  if (status === "interrupting") return "Stopping. A message sent now is the next one.";
  // The message then goes to the model at once: it ends the wait.
  if (openCalls > 0 || status === "awaiting_agents") return undefined;
  return (
    <>
      Messages wait for the answer to end.{" "}
      <span className="max-sm:hidden pointer-coarse:hidden">
        Alt+Enter adds to it, Ctrl+Enter stops it and sends now.
      </span>
    </>
  );
};

const isEditLast = (event: KeyboardEvent): boolean =>
  !isComposing(event) && isShortcut(event, SHORTCUTS["message-field"]["edit-last"]);

/** Ignores keys while an input method composes a character: Enter and Escape belong to it. */
const toKeyAction = (event: KeyboardEvent): keyof typeof BEHAVIOR | "escape" | undefined => {
  if (isComposing(event)) return undefined;
  if (event.key === "Escape") return "escape";
  if (isShortcut(event, SHORTCUTS["message-field"].steer)) return "steer";
  return readEnter(event);
};
