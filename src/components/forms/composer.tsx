import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, useId } from "react";
import { type ChatStatus, isBusy } from "@/contract/chat";
import type { BusyBehavior } from "@/contract/chat-inputs";
import { MAX_TEXT_LENGTH } from "@/contract/limits";
import { Alert } from "@/components/ui/alert";
import { ComposerActions } from "./composer-actions";
import { ComposerText } from "./composer-text";

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
  status: ChatStatus;
  queuedCount: number;
  /** True while the message is sent to the server. */
  isSending: boolean;
  /** Why no message can be sent in this chat. */
  disabledReason?: string | undefined;
  /** Why the server rejected the last message. */
  error?: string | undefined;
  modelPicker?: ReactNode;
  autoFocus?: boolean;
};

/**
 * The input for messages. Notes and errors appear above it, because it is at the lower edge of the page
 * and its buttons must not move while somebody presses them.
 */
export const Composer = (props: ComposerProps) => (
  <div className="grid min-w-0 gap-2">
    {props.error !== undefined && <Alert tone="danger" announce="alert" title={props.error} />}
    <Frame {...props} hasActiveTurn={isBusy(props.status)} />
  </div>
);

const Frame = (props: ComposerProps & { hasActiveTurn: boolean }) => {
  const { value, status, hasActiveTurn, disabledReason } = props;
  const id = useId();
  const messageError = validateMessage(value);
  const note = messageError ?? (hasActiveTurn ? <QueueNote status={status} /> : undefined);
  const canSend = isSendable(props);
  return (
    <>
      {note !== undefined && <Note id={id} note={note} isError={messageError !== undefined} />}
      <div
        className={clsx(
          "grid min-w-0 rounded-xl border bg-raised transition-colors focus-within:border-accent",
          messageError === undefined ? "border-border-strong" : "border-danger",
        )}
      >
        <ComposerText
          value={value}
          onChange={props.onChange}
          onKeyDown={(event) => handleKey(event, props)}
          placeholder={
            disabledReason ?? (hasActiveTurn ? "Write the next message" : "Write a message")
          }
          disabled={disabledReason !== undefined}
          isInvalid={messageError !== undefined}
          describedBy={note === undefined ? undefined : id}
          autoFocus={props.autoFocus ?? false}
        />
        <div className="flex min-w-0 items-center gap-2 px-2 pb-2">
          <div className="min-w-0 flex-1">{props.modelPicker}</div>
          <ComposerActions
            stop={hasActiveTurn ? (status === "interrupting" ? "pending" : "possible") : "none"}
            onStop={props.onStop}
            onSend={() => props.onSend(value, "queue")}
            canSend={canSend}
            isSending={props.isSending}
          />
        </div>
      </div>
    </>
  );
};

const isSendable = ({ value, isSending, disabledReason }: ComposerProps): boolean =>
  disabledReason === undefined &&
  !isSending &&
  value.trim() !== "" &&
  validateMessage(value) === undefined;

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

const handleKey = (
  event: KeyboardEvent,
  props: ComposerProps & { hasActiveTurn: boolean },
): void => {
  const action = toKeyAction(event);
  if (action === undefined) return;
  event.preventDefault();
  if (action === "escape") props.onEscape();
  else if (isSendable(props)) {
    const isInterrupt =
      action === "send-now" && props.hasActiveTurn && props.status !== "interrupting";
    props.onSend(props.value, isInterrupt ? "interrupt" : "queue");
  } else if (props.value.trim() === "" && props.queuedCount > 0) props.onPromoteFirst();
};

type NoteProps = { id: string; note: ReactNode; isError: boolean };

const Note = ({ id, note, isError }: NoteProps) => (
  <p
    id={id}
    role={isError ? "alert" : undefined}
    className={clsx("px-3.5 text-xs", isError ? "text-danger" : "text-muted")}
  >
    {note}
  </p>
);

const QueueNote = ({ status }: { status: ChatStatus }) => {
  if (status === "interrupting") return "Stopping. A message sent now is the next one.";
  const [waitText, interruptText] =
    status === "requires_action"
      ? [
          "Messages wait until the open calls are answered.",
          "Ctrl+Enter cancels them and sends now.",
        ]
      : ["Messages wait for the answer to end.", "Ctrl+Enter stops it and sends now."];
  return (
    <>
      {waitText} <span className="pointer-coarse:hidden">{interruptText}</span>
    </>
  );
};

/** Ignores keys while an input method composes a character: Enter and Escape belong to it. */
const toKeyAction = (event: KeyboardEvent): "send" | "send-now" | "escape" | undefined => {
  if (event.nativeEvent.isComposing) return undefined;
  if (event.key === "Escape") return "escape";
  if (event.key !== "Enter" || event.shiftKey || event.altKey) return undefined;
  return event.ctrlKey || event.metaKey ? "send-now" : "send";
};
