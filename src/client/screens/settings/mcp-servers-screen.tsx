"use client";
import { toLoadable, toReload } from "@/client/screens/to-loadable";
import { useMcpServers } from "@/client/use-mcp-servers";
import { useToolModes } from "@/client/use-tool-modes";
import { McpServersSettings } from "@/components/mcp/mcp-servers-settings";
import type { ToolModes } from "@/contract/tool";

export const McpServersScreen = () => {
  const { query, ...servers } = useMcpServers();
  const tools = useToolModes();
  const modes: ToolModes = {
    ...Object.fromEntries((tools.query.data ?? []).map(({ name, mode }) => [name, mode])),
    ...(tools.isSaving && tools.change && { [tools.change.name]: tools.change.mode }),
  };
  return (
    <McpServersSettings
      {...servers}
      items={toLoadable(query)}
      onReload={toReload(query)}
      modes={modes}
      onSetMode={tools.setMode}
      changeProblem={servers.changeProblem ?? tools.problem}
    />
  );
};
