"use client";
import { CircleStop, ClipboardCheck, RefreshCw, WifiOff, Hourglass } from "lucide-react";
import type { ReactNode } from "react";
import { Countdown } from "@/components/ui/countdown";
import { Spinner } from "@/components/ui/spinner";
import { useNow } from "@/components/ui/use-now";
import { VisuallyHidden } from "@/components/ui/visually-hidden";
import { formatCountdown } from "@/lib/format";
import { humanize } from "@/lib/humanize";
import type { ChatActivity } from "./chat-activity";
import { toRetryTitle } from "@/components/tool-cards/error-title";

/** After this wait for the first token, the status line says that the model is slow. */
const SLOW_AFTER_MS = 15_000;

type StatusLineProps = {
  activity: ChatActivity;
  /** How many agents wait for the person. Their forms say so to those who see the page. */
  waitingAgents?: number;
  /** A fixed time in milliseconds, for stories. */
  now?: number;
};

/**
 * Shows what the chat is doing. It keeps its place while there is nothing to show, so that nothing moves. Screen
 * readers announce changes of the status, but not tokens or seconds.
 */
export const StatusLine = ({ activity, waitingAgents = 0, now }: StatusLineProps) => (
  <div className="flex min-h-7 flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
    <div role="status" className="flex min-w-0 items-center gap-2">
      <ActivityText activity={activity} now={now} />
      {waitingAgents > 0 && (
        <VisuallyHidden>
          {waitingAgents === 1 ? "1 agent waits for you" : `${waitingAgents} agents wait for you`}
        </VisuallyHidden>
      )}
    </div>
    <RemainingTime activity={activity} now={now} />
    {activity.kind === "thinking" && <WaitedTime since={activity.since} now={now} />}
  </div>
);

type ActivityProps = { activity: ChatActivity; now: number | undefined };

/** Says what keeps the reports of tasks from beginning a turn: a person has to go on. */
const WaitingReports = ({ count }: { count: number }) => (
  <StatusText icon={<ClipboardCheck aria-hidden size={16} className="shrink-0" />}>
    {count === 1 ? "1 report waits." : `${count} reports wait.`} The model reads{" "}
    {count === 1 ? "it" : "them"} with your next message.
  </StatusText>
);

const ActivityText = ({ activity, now }: ActivityProps): ReactNode => {
  switch (activity.kind) {
    case "idle":
    case "error":
      return null;
    case "reports":
      return <WaitingReports count={activity.count} />;
    case "agents":
      return (
        <StatusText icon={<Hourglass aria-hidden size={16} className="shrink-0 text-accent" />}>
          Waiting for agents. A message ends the wait.
        </StatusText>
      );
    case "thinking":
      return <Thinking since={activity.since} now={now} />;
    case "compacting":
      return <StatusText icon={<Spinner />}>{toCompactingText(activity)}</StatusText>;
    case "tools":
      return <StatusText icon={<Spinner />}>{toToolsText(activity.names)}</StatusText>;
    case "retrying":
      return (
        <StatusText icon={<RefreshCw aria-hidden size={16} className="shrink-0" />}>
          <strong className="font-medium text-text">{toRetryTitle(activity.retry.kind)}</strong>
          {` · Attempt ${activity.retry.attempt}`}
        </StatusText>
      );
    case "reconnecting":
      return (
        <StatusText icon={<WifiOff aria-hidden size={16} className="shrink-0" />}>
          Connection lost. Reconnecting…
        </StatusText>
      );
    case "interrupting":
      return (
        <StatusText icon={<CircleStop aria-hidden size={16} className="shrink-0" />}>
          Stopping…
        </StatusText>
      );
    default:
      return <span className="sr-only">{toSpokenText(activity)}</span>;
  }
};

/** What those who see the page see elsewhere: in the answer, and in the form of the required action. */
const toSpokenText = (
  activity: Extract<ChatActivity, { kind: "answering" | "requires-action" }>,
): string => {
  if (activity.kind === "answering") return "Answering";
  const { calls } = activity;
  return calls > 1 ? `Needs you · ${calls} answers` : "Needs you";
};

const StatusText = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <>
    {icon}
    <span className="min-w-0">{children}</span>
  </>
);

type WaitProps = { since: string; now: number | undefined };

/** @returns undefined for a wait that is not long. */
const useLongWait = ({ since, now }: WaitProps): number | undefined => {
  const currentTime = useNow(1_000, now);
  const waitedMs = (currentTime ?? 0) - Date.parse(since);
  return waitedMs >= SLOW_AFTER_MS ? waitedMs : undefined;
};

const Thinking = (props: WaitProps) => (
  <StatusText icon={<Spinner />}>
    {useLongWait(props) === undefined ? "Thinking…" : "Thinking… this is taking longer than usual"}
  </StatusText>
);

/** How long the model has been waited for. Screen readers do not announce each second. */
const WaitedTime = (props: WaitProps) => {
  const waitedMs = useLongWait(props);
  if (waitedMs === undefined) return null;
  return (
    <span>
      · for{" "}
      <time aria-live="off" className="tabular-nums">
        {formatCountdown(waitedMs)}
      </time>
    </span>
  );
};

const toCompactingText = ({ part, parts }: { part: number; parts: number }): string =>
  `Summing up what came before…${parts > 1 ? ` (${part} of ${parts})` : ""}`;

const toToolsText = ([first, ...others]: readonly string[]): string => {
  if (first === undefined) return "Running tools…";
  const name = humanize(first);
  return others.length === 0 ? `Running ${name}…` : `Running ${name} and ${others.length} more…`;
};

const RemainingTime = ({ activity, now }: ActivityProps) =>
  activity.kind === "retrying" && (
    <span>
      · again in{" "}
      <Countdown until={activity.retry.retrying_at} {...(now !== undefined && { now })} />
    </span>
  );
