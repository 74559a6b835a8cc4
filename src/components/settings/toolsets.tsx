import { useRef, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { DetailList, DetailRow } from "@/components/ui/detail-list";
import { Disclosure } from "@/components/ui/disclosure";
import { EmptyState } from "@/components/ui/empty-state";
import { FailureAlert } from "@/components/ui/failure-alert";
import { type Loadable, Loaded } from "@/components/ui/loaded";
import { PageSection } from "@/components/ui/page-section";
import { useFocusFallback } from "@/components/ui/use-focus-fallback";
import { useNow } from "@/components/ui/use-now";
import type { Problem } from "@/contract/problem";
import type { Toolset, ToolsetRunner } from "@/contract/toolset";
import { formatTimeAgo } from "@/lib/format";

type ToolsetsProps = {
  toolsets: Loadable<readonly Toolset[]>;
  onReload: () => void;
  onRemove: (name: string) => void;
  /** The toolset that is being removed. */
  removingName: string | undefined;
  /** Whether the last one was removed. */
  isRemoved: boolean;
  /** Why it was not. */
  problem: Problem | undefined;
  /** A fixed time in milliseconds, for stories. */
  now?: number;
};

const MINUTE_MS = 60_000;

/** Lists the toolsets: who has declared them, which programs run them, and what waits for these. */
export const Toolsets = (props: ToolsetsProps) => {
  const { toolsets, onReload, onRemove, removingName, isRemoved, problem } = props;
  const now = useNow(MINUTE_MS, props.now) ?? 0;
  const [removed, setRemoved] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusFallback(heading);
  return (
    <PageSection
      title="Toolsets"
      lead="Tools that programs of yours run for every chat. A program declares them with a key, and gets their calls while it is connected."
      headingRef={heading}
    >
      <FailureAlert title={`“${removed}” was not removed`} detail={problem?.detail} />
      <p role="status" className="sr-only">
        {isRemoved && `“${removed}” is removed.`}
      </p>
      <Loaded loadable={toolsets} what="toolsets" onReload={onReload}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState
              kind="empty"
              size="list"
              title="No toolsets"
              text="A program declares one with PUT /api/v1/toolsets/{name}."
            />
          ) : (
            <DetailList>
              {list.map((toolset) => (
                <ToolsetRow
                  key={toolset.name}
                  toolset={toolset}
                  now={now}
                  isRemoving={toolset.name === removingName}
                  onRemove={() => {
                    setRemoved(toolset.name);
                    onRemove(toolset.name);
                  }}
                />
              ))}
            </DetailList>
          )
        }
      </Loaded>
    </PageSection>
  );
};

type ToolsetRowProps = {
  toolset: Toolset;
  now: number;
  isRemoving: boolean;
  onRemove: () => void;
};

const ToolsetRow = ({ toolset, now, isRemoving, onRemove }: ToolsetRowProps) => {
  const { name, description, version, runners, tools, warnings } = toolset;
  return (
    <DetailRow
      title={name}
      isCode
      badges={
        runners.length > 0 ? (
          <Badge tone="accent" text="Connected" />
        ) : (
          <Badge tone="danger" text="Not connected" />
        )
      }
      facts={[
        ...(description === undefined ? [] : [description]),
        ...describePrograms(toolset, now),
        `Version ${version}`,
        `Declared ${describeDeclarer(toolset)} ${formatTimeAgo(toolset.updated_at, now)}`,
        toolset.offered_to === "all" ? "For every chat" : "For chats that have chosen it",
        ...describeOpenCalls(toolset, now),
      ]}
      action={
        <ConfirmButton
          size="sm"
          aria-label={`Remove ${name}`}
          isBusy={isRemoving}
          title={`Remove “${name}”?`}
          message="Chats lose its tools from their next step on, and its open calls are cancelled. A program that still runs may declare it again."
          confirmLabel="Remove toolset"
          onConfirm={onRemove}
        >
          Remove
        </ConfirmButton>
      }
    >
      {runners.length > 0 && <Runners name={name} runners={runners} now={now} />}
      {warnings.length > 0 && <Warnings warnings={warnings} />}
      <Disclosure summary={tools.length === 1 ? "1 tool" : `${tools.length} tools`}>
        <ul aria-label={`Tools of ${name}`} className="divide-y rounded-md border bg-bg">
          {tools.map((tool) => (
            <li key={tool.name} className="grid gap-1 px-3 py-2">
              <code translate="no" className="text-sm wrap-anywhere">
                {tool.name}
              </code>
              {tool.description !== undefined && (
                <p className="line-clamp-2 text-note wrap-anywhere text-muted">
                  {tool.description}
                </p>
              )}
              {tool.approval === "always" && (
                <p className="text-note text-muted">Asks before each call.</p>
              )}
            </li>
          ))}
        </ul>
      </Disclosure>
    </DetailRow>
  );
};

const describePrograms = (
  { runners, last_seen_at: seenAt, when_absent: whenAbsent }: Toolset,
  now: number,
): string[] => {
  const { length } = runners;
  if (length > 0) return [length === 1 ? "1 program" : `${length} programs`];
  return [
    ...(seenAt === null ? [] : [`Last connected ${formatTimeAgo(seenAt, now)}`]),
    whenAbsent === "offer" ? "Calls wait for a program" : "Tools are withheld",
  ];
};

type RunnersProps = { name: string; runners: readonly ToolsetRunner[]; now: number };

const Runners = ({ name, runners, now }: RunnersProps) => (
  <ul aria-label={`Programs that run ${name}`} className="grid gap-1 text-note text-muted">
    {runners.map(({ holder, version, seen_at, claimed }) => (
      <li key={holder} className="flex flex-wrap gap-x-3 wrap-anywhere">
        <code translate="no" className="text-text">
          {holder}
        </code>
        <span>Version {version}</span>
        <span>Asked {formatTimeAgo(seen_at, now)}</span>
        <span>{claimed === 1 ? "Works on 1 call" : `Works on ${claimed} calls`}</span>
      </li>
    ))}
  </ul>
);

const Warnings = ({ warnings }: { warnings: readonly string[] }) => (
  <ul className="grid gap-1 text-note">
    {warnings.map((warning) => (
      <li key={warning} className="wrap-anywhere">
        {warning}
      </li>
    ))}
  </ul>
);

const describeDeclarer = ({ declared_by: by, key_name: keyName }: Toolset): string => {
  if (!by.startsWith("api_key:")) return "by you";
  return keyName === undefined ? "by a key that is revoked" : `by the key “${keyName}”`;
};

const describeOpenCalls = (
  { open_calls: count, oldest_open_at: oldest }: Toolset,
  now: number,
): string[] => {
  if (count === 0 || oldest === null) return [];
  const calls = count === 1 ? "1 open call" : `${count} open calls`;
  return [`${calls}, the oldest made ${formatTimeAgo(oldest, now)}`];
};
