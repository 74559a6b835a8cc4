"use client";
import { CircleStop, Hand, RefreshCw, WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Countdown } from "@/components/ui/countdown";
import { Spinner } from "@/components/ui/spinner";
import { useNow } from "@/components/ui/use-now";
import type { ChatError } from "@/contract/chat-error";
import { humanize } from "@/lib/humanize";
import type { ChatActivity } from "./chat-activity";
import { errorTitle, retryTitle } from "./error-title";

/** A first token that takes longer is worth a word, so that nobody thinks the page hangs. */
const SLOW_AFTER_MS = 15_000;

type StatusLineProps = {
  activity: ChatActivity;
  onRetry: () => void;
  retrying: boolean;
  /** Stands in for the clock in stories. */
  now?: number;
};

/**
 * What the chat is doing. The part that is announced changes with the status only, never with
 * tokens or seconds.
 */
export const StatusLine = ({ activity, onRetry, retrying, now }: StatusLineProps) => (
  <div className="flex min-h-7 flex-col justify-center text-sm">
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
      <div role="status" className="flex min-w-0 items-center gap-2">
        <Words activity={activity} now={now} />
      </div>
      <Remaining activity={activity} now={now} />
    </div>
    {activity.kind === "error" && (
      <Failure error={activity.error} onRetry={onRetry} retrying={retrying} />
    )}
  </div>
);

type ActivityProps = { activity: ChatActivity; now: number | undefined };

const Words = ({ activity, now }: ActivityProps): ReactNode => {
  switch (activity.kind) {
    case "idle":
    case "error":
      return null;
    case "answering":
      return <span className="sr-only">Answering</span>;
    case "thinking":
      return <Thinking since={activity.since} now={now} />;
    case "tools":
      return <Said mark={<Spinner />}>{toolsSentence(activity.names)}</Said>;
    case "retrying":
      return (
        <Said mark={<RefreshCw aria-hidden size={16} className="shrink-0 text-warning" />}>
          <strong className="font-medium text-text">{retryTitle(activity.retry.kind)}</strong>
          {` · Attempt ${activity.retry.attempt}`}
        </Said>
      );
    case "reconnecting":
      return (
        <Said mark={<WifiOff aria-hidden size={16} className="shrink-0 text-warning" />}>
          Connection lost. Reconnecting…
        </Said>
      );
    case "interrupting":
      return (
        <Said mark={<CircleStop aria-hidden size={16} className="shrink-0" />}>Stopping…</Said>
      );
    case "needs-you":
      return (
        <Said mark={<Hand aria-hidden size={16} className="shrink-0 text-warning" />}>
          <strong className="font-medium text-text">Waiting for you</strong>
          {activity.calls > 1 && ` · ${activity.calls} answers needed`}
        </Said>
      );
  }
};

const Said = ({ mark, children }: { mark: ReactNode; children: ReactNode }) => (
  <>
    {mark}
    <span className="min-w-0">{children}</span>
  </>
);

const Thinking = ({ since, now }: { since: string; now: number | undefined }) => {
  const at = useNow(1_000, now);
  const slow = at !== undefined && at - Date.parse(since) >= SLOW_AFTER_MS;
  return (
    <Said mark={<Spinner />}>
      {slow ? "Thinking… this is taking longer than usual" : "Thinking…"}
    </Said>
  );
};

const toolsSentence = ([first, ...others]: readonly string[]): string => {
  if (first === undefined) return "Running tools…";
  const name = humanize(first);
  return others.length === 0 ? `Running ${name}…` : `Running ${name} and ${others.length} more…`;
};

const Remaining = ({ activity, now }: ActivityProps) => {
  const clock = now === undefined ? {} : { now };
  if (activity.kind === "retrying") {
    return (
      <span>
        · again in <Countdown until={activity.retry.retrying_at} {...clock} />
      </span>
    );
  }
  if (activity.kind === "needs-you") {
    return (
      <span>
        <Countdown until={activity.deadlineAt} {...clock} /> left
      </span>
    );
  }
  return null;
};

type FailureProps = { error: ChatError; onRetry: () => void; retrying: boolean };

const Failure = ({ error, onRetry, retrying }: FailureProps) => (
  <Alert
    tone="danger"
    announce="alert"
    title={errorTitle(error.kind)}
    action={
      <Button
        size="sm"
        isBusy={retrying}
        onClick={onRetry}
        icon={<RefreshCw aria-hidden size={14} />}
      >
        Retry
      </Button>
    }
  >
    <p>{error.message}</p>
    {error.detail !== undefined && error.detail !== error.message && (
      <p className="mt-1 font-mono text-xs text-muted">{error.detail}</p>
    )}
    {error.status_code !== undefined && (
      <p className="mt-1 text-xs text-muted">HTTP {error.status_code}</p>
    )}
  </Alert>
);
