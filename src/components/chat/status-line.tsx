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
import { toErrorTitle, toRetryTitle } from "./error-title";

/** After this wait for the first token, the status line says that the model is slow. */
const SLOW_AFTER_MS = 15_000;

type StatusLineProps = {
  activity: ChatActivity;
  onRetry: () => void;
  isRetrying: boolean;
  /** A fixed time in milliseconds, for stories. */
  now?: number;
};

/**
 * Shows what the chat is doing. Screen readers announce changes of the status, but not tokens or
 * seconds.
 */
export const StatusLine = ({ activity, onRetry, isRetrying, now }: StatusLineProps) => (
  <div className="flex min-h-7 flex-col justify-center text-sm">
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
      <div role="status" className="flex min-w-0 items-center gap-2">
        <ActivityText activity={activity} now={now} />
      </div>
      <RemainingTime activity={activity} now={now} />
    </div>
    {activity.kind === "error" && (
      <ErrorAlert error={activity.error} onRetry={onRetry} isRetrying={isRetrying} />
    )}
  </div>
);

type ActivityProps = { activity: ChatActivity; now: number | undefined };

const ActivityText = ({ activity, now }: ActivityProps): ReactNode => {
  switch (activity.kind) {
    case "idle":
    case "error":
      return null;
    case "answering":
      return <span className="sr-only">Answering</span>;
    case "thinking":
      return <Thinking since={activity.since} now={now} />;
    case "tools":
      return <StatusText icon={<Spinner />}>{toToolsText(activity.names)}</StatusText>;
    case "retrying":
      return (
        <StatusText icon={<RefreshCw aria-hidden size={16} className="shrink-0 text-warning" />}>
          <strong className="font-medium text-text">{toRetryTitle(activity.retry.kind)}</strong>
          {` · Attempt ${activity.retry.attempt}`}
        </StatusText>
      );
    case "reconnecting":
      return (
        <StatusText icon={<WifiOff aria-hidden size={16} className="shrink-0 text-warning" />}>
          Connection lost. Reconnecting…
        </StatusText>
      );
    case "interrupting":
      return (
        <StatusText icon={<CircleStop aria-hidden size={16} className="shrink-0" />}>
          Stopping…
        </StatusText>
      );
    case "requires-action":
      return (
        <StatusText icon={<Hand aria-hidden size={16} className="shrink-0 text-warning" />}>
          <strong className="font-medium text-text">Waiting for you</strong>
          {activity.calls > 1 && ` · ${activity.calls} answers needed`}
        </StatusText>
      );
  }
};

const StatusText = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <>
    {icon}
    <span className="min-w-0">{children}</span>
  </>
);

const Thinking = ({ since, now }: { since: string; now: number | undefined }) => {
  const currentTime = useNow(1_000, now);
  const isSlow = currentTime !== undefined && currentTime - Date.parse(since) >= SLOW_AFTER_MS;
  return (
    <StatusText icon={<Spinner />}>
      {isSlow ? "Thinking… this is taking longer than usual" : "Thinking…"}
    </StatusText>
  );
};

const toToolsText = ([first, ...others]: readonly string[]): string => {
  if (first === undefined) return "Running tools…";
  const name = humanize(first);
  return others.length === 0 ? `Running ${name}…` : `Running ${name} and ${others.length} more…`;
};

const RemainingTime = ({ activity, now }: ActivityProps) => {
  const clock = now === undefined ? {} : { now };
  if (activity.kind === "retrying") {
    return (
      <span>
        · again in <Countdown until={activity.retry.retrying_at} {...clock} />
      </span>
    );
  }
  if (activity.kind === "requires-action") {
    return (
      <span>
        <Countdown until={activity.deadlineAt} {...clock} /> left
      </span>
    );
  }
  return null;
};

type ErrorAlertProps = { error: ChatError; onRetry: () => void; isRetrying: boolean };

const ErrorAlert = ({ error, onRetry, isRetrying }: ErrorAlertProps) => (
  <Alert
    tone="danger"
    announce="alert"
    title={toErrorTitle(error.kind)}
    action={
      <Button
        size="sm"
        isBusy={isRetrying}
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
