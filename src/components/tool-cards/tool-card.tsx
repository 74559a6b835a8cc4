"use client";
import { clsx } from "clsx";
import { ChevronDown, type LucideIcon } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { ToolCallView } from "@/contract/chat-view";
import type { BuiltinToolName, ToolOutput } from "@/contract/tool-outputs";
import { cardState } from "./card-state";
import { Elapsed } from "./elapsed";
import { type Mark, StateMark } from "./state-mark";

/** What every card gets; `now` stands in for the clock in stories. */
export type ToolCardProps = { part: ToolCallView; now?: number };

/** What a built-in tool's card gets. */
export type BuiltinCardProps<Name extends BuiltinToolName> = ToolCardProps & {
  /** Undefined until the call has completed, and where its output is of no known shape. */
  output: ToolOutput<Name> | undefined;
};

type FrameProps = ToolCardProps & {
  icon: LucideIcon;
  /** What the tool does, in words. */
  label: string;
  /** What it does it to: a path, a place. */
  detail: string | undefined;
  /** Stands in for the mark of the call's state. */
  mark?: Mark | undefined;
  /** For a card that is read rather than looked up. */
  defaultOpen?: boolean;
  /** Rendered only while the card is open. */
  children: ReactNode;
};

const SETTLED_QUIETLY = new Set(["completed", "cancelled"]);

/** The frame of all cards: one line that says what, how it went and how long, and opens the rest. */
export const ToolCard = (props: FrameProps) => {
  const { part, now, icon: Icon, label, detail, mark, defaultOpen = false, children } = props;
  const [open, setOpen] = useState(defaultOpen || isForThePerson(part));
  const bodyId = useId();
  const state = cardState(part);
  const showsTime = state !== "streaming" && !state.startsWith("awaiting");
  return (
    <div
      data-tool-call-id={part.tool_call_id}
      className={clsx(
        "min-w-0 overflow-hidden rounded-lg border",
        state.startsWith("awaiting") ? "border-warning/40" : "border-border",
        SETTLED_QUIETLY.has(state) ? "bg-bg" : "bg-raised",
      )}
    >
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? bodyId : undefined}
        onClick={() => setOpen(!open)}
        className="flex min-h-9 w-full items-center gap-2.5 px-3 py-1.5 text-left -outline-offset-2 transition-colors hover:bg-hover pointer-coarse:min-h-11"
      >
        <Icon aria-hidden size={16} className="shrink-0 text-muted" />
        <Title label={label} detail={detail} whole={open} />
        {showsTime && (
          <Elapsed startedAt={part.started_at} completedAt={part.completed_at} now={now} />
        )}
        <StateMark state={state} mark={mark} />
        <ChevronDown
          aria-hidden
          size={16}
          className={clsx("shrink-0 text-muted transition-transform", open && "rotate-180")}
        />
      </button>
      {open && (
        <div id={bodyId} className="flex min-w-0 flex-col gap-3 border-t px-3 py-3">
          {children}
        </div>
      )}
    </div>
  );
};

type TitleProps = Pick<FrameProps, "label" | "detail"> & { whole: boolean };

/** One line, cut where it is too long; whole once the card is open. */
const Title = ({ label, detail, whole }: TitleProps) => {
  const fit = whole ? "wrap-anywhere" : "truncate";
  return (
    <span className={clsx("flex min-w-0 flex-1 items-baseline gap-x-2", whole && "flex-wrap")}>
      <span className={clsx("font-medium", fit, detail !== undefined && "shrink-0")}>{label}</span>
      {detail !== undefined && (
        <span className={clsx("font-mono text-xs text-muted", fit)}>{detail}</span>
      )}
    </span>
  );
};

/** What a tool wrote for the person is shown unasked; the rest waits behind the line. */
const isForThePerson = ({ for_user: text, silent }: ToolCardProps["part"]): boolean =>
  text !== undefined && silent !== true;
