import { SegmentedControl } from "@/components/ui/segmented-control";
import { Disclosure } from "@/components/ui/disclosure";
import type { McpServer, McpServerTool } from "@/contract/mcp-server";
import type { SetToolModeInput, ToolMode, ToolModes } from "@/contract/tool";
import { TOOL_MODES } from "@/components/settings/tool-mode-options";

/** How each tool is offered, by the name that models have for it. */
export type McpToolModes = { modes: ToolModes; onSetMode: (change: SetToolModeInput) => void };

type McpToolListProps = McpToolModes & { server: McpServer };

/** The tools of a server and how each is offered, which appear when they are asked for. */
export const McpToolList = ({ server, modes, onSetMode }: McpToolListProps) => {
  const { tools } = server;
  return (
    <Disclosure summary={tools.length === 1 ? "1 tool" : `${tools.length} tools`}>
      <ul aria-label={`Tools of ${server.name}`} className="divide-y rounded-md border bg-bg">
        {tools.map((tool) => (
          <ToolRow
            key={tool.name}
            tool={tool}
            mode={modes[tool.name] ?? "on"}
            onSetMode={onSetMode}
          />
        ))}
      </ul>
    </Disclosure>
  );
};

type ToolRowProps = Pick<McpToolListProps, "onSetMode"> & { tool: McpServerTool; mode: ToolMode };

const ToolRow = ({ tool, mode, onSetMode }: ToolRowProps) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-2">
    <div className="min-w-0 flex-1 basis-52">
      <code translate="no" className="text-sm wrap-anywhere">
        {tool.tool}
      </code>
      <p className="line-clamp-2 text-note wrap-anywhere text-muted" title={tool.description}>
        {tool.description}
      </p>
      {tool.needs_approval && <p className="text-note text-muted">Asks before each call.</p>}
    </div>
    <SegmentedControl
      label={`Mode of ${tool.tool}`}
      options={TOOL_MODES}
      value={mode}
      onChange={(next) => onSetMode({ name: tool.name, mode: next })}
      disabled={false}
    />
  </li>
);
