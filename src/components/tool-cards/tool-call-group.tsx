"use client";
import { Layers } from "lucide-react";
import { useId, useState } from "react";
import { useIsPrinting } from "@/components/ui/use-is-printing";
import type { ToolCallView } from "@/contract/chat-view";
import { humanize } from "@/lib/humanize";
import { type CardState, isOpenState, toCardState } from "./card-state";
import { CardToggle } from "./card-toggle";
import { StateMark } from "./state-mark";
import ToolCall from "./tool-call";
import type { ToolCardProps } from "./tool-card";

type ToolCallGroupProps = Omit<ToolCardProps, "part"> & {
  /** In order; at least one. */
  calls: readonly ToolCallView[];
};

/** Many calls in a row as one line that opens. It is open while they run, so that nothing folds away under a reader. */
export const ToolCallGroup = ({ calls, ...rest }: ToolCallGroupProps) => {
  const [isOpened, setOpened] = useState(calls.some((part) => isOpenState(toCardState(part))));
  const open = useIsPrinting() || isOpened;
  const bodyId = useId();
  return (
    <div className="min-w-0">
      <div className="overflow-hidden rounded-lg border">
        <CardToggle isOpen={open} onToggle={() => setOpened(!open)} bodyId={bodyId} icon={Layers}>
          <span className="flex min-w-0 flex-1 items-baseline gap-x-2">
            <span className="shrink-0 font-medium">{calls.length} tool calls</span>
            <span className="truncate text-note text-muted">{toToolNames(calls)}</span>
          </span>
          <StateMark {...summarizeStates(calls)} />
        </CardToggle>
      </div>
      {open && (
        <div id={bodyId} className="mt-2 ml-3 flex min-w-0 flex-col gap-2 border-l-2 pl-3">
          {calls.map((part) => (
            <ToolCall key={part.tool_call_id} part={part} {...rest} />
          ))}
        </div>
      )}
    </div>
  );
};

/**
 * The state that needs attention most: an open call, then the last that did not succeed, then done. How many did not
 * succeed is counted, as the others did.
 */
const summarizeStates = (
  calls: readonly ToolCallView[],
): { state: CardState; count?: number | undefined } => {
  const states = calls.map(toCardState);
  const open = states.findLast(isOpenState);
  if (open) return { state: open };
  const failed = states.findLast((state) => state !== "completed");
  return failed
    ? { state: failed, count: states.filter((state) => state === failed).length }
    : { state: "completed" };
};

/** The names of the tools in order, each once. */
const toToolNames = (calls: readonly ToolCallView[]): string => {
  const counts = new Map<string, number>();
  for (const { tool_name: name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => (count === 1 ? humanize(name) : `${humanize(name)} × ${count}`))
    .join(", ");
};
