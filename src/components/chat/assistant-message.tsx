"use client";
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { RotateCcw } from "lucide-react";
import { CopyButton } from "@/components/ui/copy-button";
import { lazyParts } from "@/components/ui/lazy-parts";
import { FindableFold } from "@/components/ui/findable-fold";
import { IconButton } from "@/components/ui/icon-button";
import { Markdown } from "@/components/ui/markdown";
import type { MessageView } from "@/contract/chat-view";
import { ToolCalls } from "@/components/tool-cards/load-cards";
import type { CallPlace } from "@/components/tool-cards/tool-card";
import { formatTokens } from "@/lib/format";
import { humanize } from "@/lib/humanize";
import { ForkButton } from "./fork-button";
import { groupParts, type PartGroup, toMessageText } from "./message-parts";
import type { RegenerateMenuProps } from "./open-regenerate-menu";
import { ReasoningDisclosure } from "./reasoning-disclosure";
import { RegenerateMenu } from "./regenerate-menu";
import { isAlwaysShown, isBeforeAnswer, type TurnWork } from "./turn-work";

/** Most answers end by themselves. */
const MessageNote = lazyParts(() => import("./message-note"));
const Sources = lazyParts(() => import("./sources"));

type AssistantMessageProps = {
  message: MessageView;
  /** Whether this is the last step of its turn, which shows the actions. */
  isTurnEnd: boolean;
  /** Absent if the answer cannot be regenerated. */
  onRegenerate?: (() => void) | undefined;
  /** What it can be regenerated with. */
  regenerateMenu?: RegenerateMenuProps | undefined;
  /** Changes between its versions, if there are several. */
  versions?: ReactNode;
  /** Absent if the chat cannot be branched. */
  onFork?: (() => void) | undefined;
  /** The work of its turn, if there is some. */
  work?: TurnWork | undefined;
  isWorkOpen?: boolean | undefined;
  /** The browser's search has found something in work that is folded. */
  onWorkFound?: (() => void) | undefined;
  /** What surrounds its tool calls. */
  place: CallPlace;
  /** A fixed time in milliseconds, for stories. */
  now?: number | undefined;
};

/** One step of the assistant: its parts in order. */
export const AssistantMessage = ({
  message,
  isTurnEnd,
  onRegenerate,
  regenerateMenu,
  versions,
  onFork,
  work,
  isWorkOpen = true,
  onWorkFound,
  place,
  now,
}: AssistantMessageProps) => {
  const isStreaming = message.preview === true;
  const groups = groupParts(message.parts);
  const folded = new Set(
    work && !isWorkOpen ? groups.filter((group) => isWork(group, message, work)) : [],
  );
  return (
    <article
      aria-label="Assistant"
      aria-hidden={
        !isTurnEnd && folded.size > 0 && folded.size === groups.length ? true : undefined
      }
      className="group relative flex min-w-0 flex-col"
    >
      {groups.map((group, index) => (
        <FindableFold key={group.key} isFolded={folded.has(group)} onFound={onWorkFound}>
          {/* The space is folded with what it follows. */}
          <div className="pb-3">
            <Group
              group={group}
              isStreaming={isStreaming && index === groups.length - 1}
              place={place}
              now={now}
            />
          </div>
        </FindableFold>
      ))}
      {hasEndedEarly(message) && <MessageNote message={message} />}
      {isTurnEnd && !isStreaming && (
        <>
          <div className="flex items-center gap-1">
            {versions}
            <Actions
              message={message}
              onRegenerate={onRegenerate}
              regenerateMenu={regenerateMenu}
              onFork={onFork}
            />
          </div>
          <p className="absolute top-full hidden max-w-full truncate text-xs text-muted opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 @min-[54rem]/messages:pointer-fine:block">
            {describeModel(message)}
          </p>
        </>
      )}
    </article>
  );
};

/** Whether a group is folded with the work of its turn. */
const isWork = (group: PartGroup, message: MessageView, work: TurnWork): boolean => {
  switch (group.type) {
    case "tool_call":
      return !isAlwaysShown(group.part);
    case "tool_calls":
      return !group.parts.some(isAlwaysShown);
    case "reasoning":
      return true;
    case "text":
    case "sources":
      return isBeforeAnswer(message, group.index, work);
  }
};

type GroupProps = {
  group: PartGroup;
  isStreaming: boolean;
  place: CallPlace;
  now: number | undefined;
};

const Group = ({ group, isStreaming, place, now }: GroupProps) => {
  const clock = now !== undefined && { now };
  switch (group.type) {
    case "text":
      return (
        <div data-wide-blocks data-message-text>
          <Markdown text={group.part.text} isStreaming={isStreaming} />
        </div>
      );
    case "reasoning":
      return <ReasoningDisclosure part={group.part} isStreaming={isStreaming} />;
    case "tool_call":
      return (
        <ToolCalls
          fallback={<LoadingCard label={humanize(group.part.tool_name)} />}
          calls={[group.part]}
          place={place}
          {...clock}
        />
      );
    case "tool_calls":
      return (
        <ToolCalls
          fallback={<LoadingCard label={`${group.parts.length} tool calls`} />}
          calls={group.parts}
          place={place}
          {...clock}
        />
      );
    case "sources":
      return <Sources fallback={<div className="h-12" />} sources={group.parts} />;
  }
};

/** As high as a closed card. */
const LoadingCard = ({ label }: { label: string }) => (
  <div className="flex h-9.5 items-center rounded-lg border px-3 font-medium text-muted pointer-coarse:h-11.5">
    {label}
  </div>
);

const Actions = ({
  message,
  onRegenerate,
  regenerateMenu,
  onFork,
}: Pick<AssistantMessageProps, "message" | "onRegenerate" | "regenerateMenu" | "onFork">) => {
  const text = toMessageText(message);
  return (
    // In the margin where there is one, and in view while a long answer is.
    <div className="min-w-0 @min-[54rem]/messages:pointer-fine:absolute @min-[54rem]/messages:pointer-fine:inset-y-0 @min-[54rem]/messages:pointer-fine:right-full">
      <div
        className={clsx(
          "-ml-1.5 flex min-h-7 items-center gap-0.5 transition-opacity",
          "@min-[54rem]/messages:pointer-fine:sticky @min-[54rem]/messages:pointer-fine:top-3 @min-[54rem]/messages:pointer-fine:ml-0 @min-[54rem]/messages:pointer-fine:flex-col @min-[54rem]/messages:pointer-fine:pr-2",
          !onRegenerate &&
            "group-focus-within:opacity-100! group-hover:opacity-100! @min-[54rem]/messages:pointer-fine:opacity-0",
        )}
      >
        {message.parts.at(-1)?.type === "text" && text !== "" && (
          <CopyButton label="Copy answer" text={text} />
        )}
        {onRegenerate && (
          <IconButton
            size="sm"
            label="Regenerate answer"
            icon={<RotateCcw aria-hidden size={15} />}
            onClick={onRegenerate}
          />
        )}
        {regenerateMenu && <RegenerateMenu {...regenerateMenu} />}
        {onFork && <ForkButton onFork={onFork} />}
        <p className="ml-1.5 truncate text-xs text-muted transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 pointer-fine:opacity-0 @min-[54rem]/messages:pointer-fine:hidden">
          {describeModel(message)}
        </p>
      </div>
    </div>
  );
};

const describeModel = ({ model, usage }: MessageView): string =>
  [model, usage && `${formatTokens(usage.output_tokens)} tokens`]
    .filter((word) => word !== undefined)
    .join(" · ");

const hasEndedEarly = ({ interrupted, finish_reason: reason }: MessageView): boolean =>
  interrupted === true || (reason !== undefined && reason !== "stop" && reason !== "tool-calls");
