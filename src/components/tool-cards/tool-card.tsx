"use client";
import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { QuestionDraft } from "@/components/questions/question-answers";
import type { Agent } from "@/contract/agent";
import { useIsPrinting } from "@/components/ui/use-is-printing";
import type { ToolCallView } from "@/contract/chat-view";
import type { CardContent } from "@/contract/tool";
import { ArtifactLinks } from "./artifact-links";
import { toCardState } from "./card-state";
import { CardToggle } from "./card-toggle";
import { Elapsed } from "./elapsed";
import { formatJson } from "./format-json";
import { TextBlock } from "./text-block";
import { type Mark, StateMark } from "./state-mark";

/** Unsent answers to the questions of calls. */
export type QuestionDrafts = {
  /** Not validated: another version of the page may have stored it. */
  read: (toolCallId: string) => unknown;
  write: (toolCallId: string, draft: QuestionDraft) => void;
};

export type CardContents = Readonly<Partial<Record<string, CardContent>>>;

/** What surrounds a call in its chat, for the cards that depend on it. */
export type CallPlace = {
  /** The text of the user message that follows the call. */
  reply?: string | undefined;
  /** Sends a user message; absent while the chat takes none. */
  onAnswer?: ((text: string) => void) | undefined;
  questionDrafts?: QuestionDrafts | undefined;
  /** The id of the call that wrote the newest to-do list, if it is in the same message. */
  newestTodoCall?: string | undefined;
  /** How the agents of the chat stand. */
  agents?: readonly Agent[] | undefined;
  /** What the generic card shows of calls, by the names of the built-in tools. */
  cards?: CardContents | undefined;
  onStopTask?: ((taskId: string) => void) | undefined;
  /** Opens another page without a page load. */
  onNavigate?: ((href: string) => void) | undefined;
};

/** Props of every card; `now` replaces the clock in stories. */
export type ToolCardProps = { part: ToolCallView; now?: number; place?: CallPlace };

/** Props of a card that shows more of the output than its text. */
export type OutputCardProps<Output> = ToolCardProps & {
  /** Undefined before the call has completed, and when the output does not match the schema. */
  output: Output | undefined;
};

type FrameProps = ToolCardProps & {
  icon: LucideIcon;
  /** What the tool does, in words. */
  label: string;
  /** What it works on, such as a path. */
  detail: string | undefined;
  /** Replaces the mark of the call's state. */
  mark?: Mark | undefined;
  /** For a card that people read, rather than open to look something up. */
  defaultOpen?: boolean;
  /** Rendered only while the card is open. */
  children: ReactNode;
};

/** A wait for agents ends by itself. */
const PERSON_STATES = new Set(["awaiting_result", "awaiting_approval"]);

const QUIET_STATES = new Set(["completed", "cancelled"]);

/** The frame of all cards: a line with label, duration and state that opens the rest, with links to the call's files. */
export const ToolCard = (props: FrameProps) => {
  const { part, now, icon, label, detail, mark, defaultOpen, children } = props;
  const [isOpened, setOpened] = useState(defaultOpen ?? hasTextForPerson(part));
  const open = useIsPrinting() || isOpened;
  const bodyId = useId();
  const state = toCardState(part);
  const needsPerson = PERSON_STATES.has(state);
  const hasDuration = state !== "streaming" && state !== "claimed" && !needsPerson;
  return (
    <div
      data-tool-call-id={part.tool_call_id}
      className={clsx(
        "min-w-0 overflow-hidden rounded-lg border",
        needsPerson ? "border-warning/40" : "border-border",
        QUIET_STATES.has(state) ? "bg-bg" : "bg-raised",
      )}
    >
      <CardToggle isOpen={open} onToggle={() => setOpened(!open)} bodyId={bodyId} icon={icon}>
        <Title label={label} detail={detail} whole={open} />
        {hasDuration && (
          <Elapsed startedAt={part.started_at} completedAt={part.completed_at} now={now} />
        )}
        <StateMark state={state} mark={mark} />
      </CardToggle>
      {open && (
        <div id={bodyId} className="flex min-w-0 flex-col gap-3 border-t px-3 py-3">
          {children}
          {part.approved_args !== undefined && (
            <TextBlock
              label="Changed before it was approved; the model asked for"
              text={formatJson(part.args)}
              fileName={`${part.tool_name}-asked.json`}
            />
          )}
          {part.artifacts !== undefined && part.artifacts.length > 0 && (
            <ArtifactLinks artifacts={part.artifacts} />
          )}
        </div>
      )}
    </div>
  );
};

type TitleProps = Pick<FrameProps, "label" | "detail"> & { whole: boolean };

/** Truncated to one line while the card is closed, whole while it is open. */
const Title = ({ label, detail, whole }: TitleProps) => {
  const fit = whole ? "wrap-anywhere" : "truncate";
  return (
    <span className={clsx("flex min-w-0 flex-1 items-baseline gap-x-2", whole && "flex-wrap")}>
      <span className={clsx("font-medium", fit, detail !== undefined && "shrink-0")}>{label}</span>
      {detail !== undefined && (
        <span translate="no" className={clsx("font-mono text-xs text-muted", fit)}>
          {detail}
        </span>
      )}
    </span>
  );
};

/** A card with a text for the person starts open. */
const hasTextForPerson = ({ for_user: text, silent }: ToolCardProps["part"]): boolean =>
  text !== undefined && silent !== true;
