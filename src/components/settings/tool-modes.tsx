"use client";
import { FailureAlert } from "@/components/ui/failure-alert";
import { Badge } from "@/components/ui/badge";
import { SegmentedControl } from "@/components/ui/segmented-control";
import type { Problem } from "@/contract/problem";
import type { SetToolModeInput, Tool, ToolMode } from "@/contract/tool";
import { humanize } from "@/lib/humanize";
import { type Loadable, Loaded } from "@/components/ui/loaded";
import { SettingsList, SettingsRow } from "./settings-list";
import { SettingsSection } from "./settings-section";
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
  const { tools, onReload, onSetMode, change, isSaving, problem } = props;
  const changed = humanize(change?.name ?? "");
  return (
    <SettingsSection
      isPage
      title="Tools"
      lead="What agents can do on this server. “Ask first” needs an approval for each call. A change counts from the next step of every chat."
    >
      <FailureAlert title={`The mode of “${changed}” was not changed`} detail={problem?.detail} />
      <p role="status" className="sr-only">
        {change && !isSaving && !problem && `${changed}: ${MODE_TEXT[change.mode]}.`}
      </p>
      <Loaded loadable={tools} what="tools" onReload={onReload}>
        {(list) => (
          <SettingsList>
            {list.map((tool) => (
              <ToolRow
                key={tool.name}
                tool={tool}
                mode={isSaving && change?.name === tool.name ? change.mode : tool.mode}
                onSetMode={onSetMode}
              />
            ))}
          </SettingsList>
        )}
      </Loaded>
    </SettingsSection>
  );
};

type ToolRowProps = Pick<ToolModesProps, "onSetMode"> & { tool: Tool; mode: ToolMode };

const ToolRow = ({ tool, mode, onSetMode }: ToolRowProps) => {
  const { name, description, offered, reason, notice } = tool;
  const label = humanize(name);
  // That the tool is off is what the control says already.
  const note = mode === "off" ? undefined : (reason ?? notice);
  return (
    <SettingsRow
      title={label}
      badges={!offered && mode !== "off" && <Badge text="Not available" />}
      facts={[
        <code key="name" translate="no">
          {name}
        </code>,
        <span key="description" title={description} className="line-clamp-2">
          {description}
        </span>,
        note !== undefined && (
          <span key="note" className="text-text">
            {note}
          </span>
        ),
      ].filter((fact) => fact !== false)}
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
