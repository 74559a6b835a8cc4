"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { FailureAlert } from "@/components/ui/failure-alert";
import { Badge } from "@/components/ui/badge";
import { SegmentedControl } from "@/components/ui/segmented-control";
import type { Problem } from "@/contract/problem";
import type { SetToolModeInput, Tool, ToolMode } from "@/contract/tool";
import { useConfirm } from "@/components/ui/use-confirm";
import { findToolGuide } from "@/contract/builtin-tools";
import { humanize } from "@/lib/humanize";
import { ALL_TOOLS, matchesFilter, ToolFilterBar } from "./tool-filter";
import { type Loadable, Loaded } from "@/components/ui/loaded";
import { DetailList, DetailRow } from "@/components/ui/detail-list";
import { PageSection } from "@/components/ui/page-section";
import { TOOL_MODES } from "./tool-mode-options";

type ToolModesProps = {
  tools: Loadable<readonly Tool[]>;
  onReload: () => void;
  /** Undefined for a person who may not change the modes. */
  onSetMode: ((change: SetToolModeInput) => void) | undefined;
  /** The change that is being saved, or that was saved last. */
  change: SetToolModeInput | undefined;
  isSaving: boolean;
  /** Why the last change was not saved. */
  problem: Problem | undefined;
};

const MODE_TEXT: Record<ToolMode, string> = { on: "On", ask: "Asks first", off: "Off" };

/** Lists the tools of the server: how each is offered, and why some are not. */
export const ToolModes = (props: ToolModesProps) => {
  const { tools, onReload, change, isSaving, problem } = props;
  const changed = humanize(change?.name ?? "");
  return (
    <PageSection
      isPage
      title="Tools"
      lead="What agents can do on this server. “Ask first” needs an approval for each call. A change counts from the next step of every chat."
    >
      <FailureAlert title={`The mode of “${changed}” was not changed`} detail={problem?.detail} />
      <p role="status" className="sr-only">
        {change && !isSaving && !problem && `${changed}: ${MODE_TEXT[change.mode]}.`}
      </p>
      <Loaded loadable={tools} what="tools" onReload={onReload}>
        {(list) => <FilteredTools {...props} list={list} />}
      </Loaded>
    </PageSection>
  );
};

type FilteredToolsProps = Pick<ToolModesProps, "onSetMode" | "change" | "isSaving"> & {
  list: readonly Tool[];
};

const FilteredTools = ({ list, onSetMode, change, isSaving }: FilteredToolsProps) => {
  const [filter, setFilter] = useState(ALL_TOOLS);
  const shown = list.filter((tool) => matchesFilter(tool, filter));
  return (
    <>
      <ToolFilterBar list={list} filter={filter} onChange={setFilter} />
      {onSetMode && <AskFirstBar list={list} onSetMode={onSetMode} />}
      <p role="status" className="sr-only">
        {filter === ALL_TOOLS ? "" : `${shown.length} of ${list.length} tools`}
      </p>
      {shown.length === 0 ? (
        <p className="text-muted">No tool matches. Change the search or the filters.</p>
      ) : (
        <DetailList>
          {shown.map((tool) => (
            <ToolRow
              key={tool.name}
              tool={tool}
              mode={isSaving && change?.name === tool.name ? change.mode : tool.mode}
              onSetMode={onSetMode}
            />
          ))}
        </DetailList>
      )}
    </>
  );
};

type AskFirstBarProps = {
  list: readonly Tool[];
  onSetMode: NonNullable<ToolModesProps["onSetMode"]>;
};

/** Sets all tools that are on and change something to “Ask first”. */
const AskFirstBar = ({ list, onSetMode }: AskFirstBarProps) => {
  const [dialog, ask] = useConfirm();
  const changing = list.filter((tool) => tool.mode === "on" && findToolGuide(tool).isChanging);
  if (changing.length === 0) {
    return <p className="text-muted">Every tool that changes something asks first or is off.</p>;
  }
  const names = changing.map(({ name }) => humanize(name)).join(", ");
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border px-4 py-3">
      <p className="min-w-0 flex-1 basis-52 text-muted">
        {changing.length === 1 ? "1 tool changes" : `${changing.length} tools change`} something and{" "}
        {changing.length === 1 ? "is" : "are"} not set to “Ask first”.
      </p>
      <Button
        onClick={() =>
          ask(
            {
              title: "Ask first for all that change something?",
              message: `Each call of these tools then needs an approval: ${names}.`,
              confirmLabel: "Ask first",
              isDestructive: false,
            },
            () => changing.forEach(({ name }) => onSetMode({ name, mode: "ask" })),
          )
        }
      >
        Ask first for all that change something
      </Button>
      {dialog}
    </div>
  );
};

type ToolRowProps = Pick<ToolModesProps, "onSetMode"> & { tool: Tool; mode: ToolMode };

const ToolRow = ({ tool, mode, onSetMode }: ToolRowProps) => {
  const { name, description, reason, notice } = tool;
  const label = humanize(name);
  const { text, isChanging } = findToolGuide(tool);
  // That the tool is off is what the control says already.
  const note = mode === "off" ? undefined : (reason ?? notice);
  return (
    <DetailRow
      title={label}
      badges={reason !== undefined && mode !== "off" && <Badge text="Not available" />}
      facts={[
        <code key="name" translate="no">
          {name}
        </code>,
        <span key="text" title={description} className="line-clamp-2">
          {text}
        </span>,
        isChanging ? "Changes something" : "Only reads",
        tool.for_chosen && "For chats that have chosen it",
        note !== undefined && (
          <span key="note" className="text-text">
            {note}
          </span>
        ),
      ].filter(Boolean)}
      action={
        onSetMode ? (
          <SegmentedControl
            label={`Mode of ${label}`}
            options={TOOL_MODES}
            value={mode}
            onChange={(next) => onSetMode({ name, mode: next })}
            disabled={false}
          />
        ) : (
          <Badge text={MODE_TEXT[mode]} />
        )
      }
    />
  );
};
