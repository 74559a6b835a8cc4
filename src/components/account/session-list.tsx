"use client";
import { useRef, useState } from "react";
import { useFocusFallback } from "@/components/ui/use-focus-fallback";
import { FailureAlert } from "@/components/ui/failure-alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { useNow } from "@/components/ui/use-now";
import type { AccountSession } from "@/contract/account";
import type { Problem } from "@/contract/problem";
import { describeUserAgent } from "@/lib/describe-user-agent";
import { formatDate, formatDaysAgo } from "@/lib/format";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { type Loadable, Loaded } from "@/components/ui/loaded";
import { DetailList, DetailRow } from "@/components/ui/detail-list";
import { PageSection } from "@/components/ui/page-section";

type SessionListProps = {
  sessions: Loadable<readonly AccountSession[]>;
  onReload: () => void;
  onEnd: (sessionIds: readonly string[]) => void;
  /** The sessions that are being ended. */
  endingIds: readonly string[];
  /** Whether the last sessions were ended. */
  isEnded: boolean;
  /** Why the last sessions were not ended. */
  problem: Problem | undefined;
  /** A fixed time in milliseconds, for stories. */
  now?: number;
};

const HOUR_MS = 3_600_000;

/** Lists the browsers in which the user is signed in, and signs out of them. */
export const SessionList = (props: SessionListProps) => {
  const { sessions, onReload, onEnd, endingIds, isEnded, problem } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusFallback(heading);
  const now = useNow(HOUR_MS, props.now) ?? 0;
  const [endedName, setEndedName] = useState("");
  const others = sessions.state === "ready" ? sessions.value.filter((one) => !one.current) : [];
  const end = (name: string, ended: readonly AccountSession[]): void => {
    setEndedName(name);
    onEnd(ended.map(({ id }) => id));
  };
  return (
    <PageSection
      title="Where you are signed in"
      lead="Do you not recognize a browser? Sign it out, then change your password."
      headingRef={heading}
      action={
        others.length > 0 && (
          <ConfirmButton
            isBusy={others.every(({ id }) => endingIds.includes(id))}
            title="Sign out all other browsers?"
            message="You have to sign in there again. This browser stays signed in."
            confirmLabel="Sign out all others"
            onConfirm={() => end("all other browsers", others)}
          >
            Sign out all others
          </ConfirmButton>
        )
      }
    >
      <FailureAlert title={`Not signed out: ${endedName}`} detail={problem?.detail} />
      <p role="status" className="sr-only">
        {isEnded && `Signed out: ${endedName}.`}
      </p>
      <Loaded loadable={sessions} what="sessions" onReload={onReload}>
        {(list) => (
          <DetailList>
            {[...list.filter(({ current }) => current), ...others].map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                now={now}
                onEnd={(name) => end(name, [session])}
                isEnding={endingIds.includes(session.id)}
              />
            ))}
          </DetailList>
        )}
      </Loaded>
    </PageSection>
  );
};

type SessionRowProps = {
  session: AccountSession;
  now: number;
  onEnd: (name: string) => void;
  isEnding: boolean;
};

const SessionRow = ({ session, now, onEnd, isEnding }: SessionRowProps) => {
  const { current, created_at, last_used_at, user_agent } = session;
  const name = describeUserAgent(user_agent);
  return (
    <DetailRow
      title={name}
      badges={current && <Badge tone="accent" text="This browser" />}
      facts={[
        current ? "Active now" : `Active ${formatDaysAgo(last_used_at, now)}`,
        `Signed in ${formatDate(created_at)}`,
      ]}
      action={
        !current && (
          <Button
            size="sm"
            aria-label={`Sign out ${name}`}
            isBusy={isEnding}
            onClick={() => onEnd(name)}
          >
            Sign out
          </Button>
        )
      }
    />
  );
};
