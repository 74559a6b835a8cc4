import { Bot } from "lucide-react";
import type { CallClaim, CallProgress, OpenCall } from "@/contract/call";
import { humanize } from "@/lib/humanize";
import { Button } from "@/components/ui/button";
import { TimeOfDay } from "./time-of-day";

/** A call that a program works on. */
export type ClaimedCallView = OpenCall & { claim: CallClaim };

type ClaimedCallsProps = {
  calls: readonly ClaimedCallView[];
  /** Opens the form for the call: a person may answer although a program works on it. */
  onAnswer: (toolCallId: string) => void;
  isDisabled: boolean;
};

/** The calls of a step that programs work on, each with who does since when, and how far it is. */
export const ClaimedCalls = ({ calls, onAnswer, isDisabled }: ClaimedCallsProps) => (
  <ul className="divide-y">
    {calls.map(({ tool_call_id: id, tool_name: name, claim }) => (
      <li
        key={id}
        className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3"
      >
        <div className="grid min-w-0 flex-1 basis-60 gap-1">
          <h3 className="text-sm font-semibold wrap-anywhere">{humanize(name)}</h3>
          <p className="flex min-w-0 items-start gap-1.5 text-sm text-muted">
            <Bot aria-hidden size={16} className="mt-0.5 shrink-0" />
            <span className="min-w-0">
              <code translate="no" className="font-mono text-xs wrap-anywhere text-text">
                {claim.holder}
              </code>{" "}
              works on this since <TimeOfDay at={claim.claimed_at} />
            </span>
          </p>
          {claim.progress && <Progress progress={claim.progress} />}
        </div>
        <Button size="sm" disabled={isDisabled} onClick={() => onAnswer(id)}>
          Answer it myself
        </Button>
      </li>
    ))}
  </ul>
);

const Progress = ({ progress: { message, percent } }: { progress: CallProgress }) => (
  <div className="grid min-w-0 gap-1">
    <p className="min-w-0 text-sm wrap-anywhere">{message}</p>
    {percent !== undefined && (
      <progress aria-label={message} max={100} value={percent} className="h-1.5 w-full max-w-60" />
    )}
  </div>
);
