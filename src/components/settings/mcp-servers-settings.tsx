"use client";
import type { McpServer, McpServerInput, UpdateMcpServerInput } from "@/contract/mcp-server";
import type { SetToolModeInput, ToolModes } from "@/contract/tool";
import { EditableList, type ListSaving } from "./editable-list";
import type { Loadable } from "./loaded";
import { McpServerForm } from "./mcp-server-form";
import { McpServerRow, type McpServerTest } from "./mcp-server-row";

type McpServersSettingsProps = ListSaving & {
  servers: Loadable<readonly McpServer[]>;
  onReload: () => void;
  /** `onSaved` is called when the server is saved. */
  onCreate: (server: McpServerInput, onSaved: () => void) => void;
  onUpdate: (server: UpdateMcpServerInput, onSaved: () => void) => void;
  onToggle: (change: Pick<UpdateMcpServerInput, "server_id" | "enabled">) => void;
  onDelete: (serverId: string) => void;
  onTest: (serverId: string) => void;
  /** The last test of each server, by its id. */
  tests: Readonly<Record<string, McpServerTest>>;
  modes: ToolModes;
  onSetMode: (change: SetToolModeInput) => void;
};

/** Lists the MCP servers, adds, changes, tests and deletes them, and sets how their tools are offered. */
export const McpServersSettings = (props: McpServersSettingsProps) => {
  const { servers, onReload, onCreate, onUpdate, tests, modes, onSetMode } = props;
  return (
    <EditableList
      title="MCP servers"
      lead="Tools of other programs, by the Model Context Protocol. Every chat may use them."
      noun="MCP server"
      items={servers}
      onReload={onReload}
      getKey={({ id }) => id}
      getName={({ name }) => name}
      saving={props}
      form={(server, frame) => (
        <McpServerForm
          {...frame}
          server={server}
          onSubmit={(input) =>
            server
              ? onUpdate({ ...input, server_id: server.id }, frame.onCancel)
              : onCreate(input, frame.onCancel)
          }
        />
      )}
      row={(server, onEdit) => (
        <McpServerRow
          server={server}
          test={tests[server.id]}
          modes={modes}
          onSetMode={onSetMode}
          onTest={() => props.onTest(server.id)}
          onEdit={onEdit}
          onToggle={() => props.onToggle({ server_id: server.id, enabled: !server.enabled })}
          onDelete={() => props.onDelete(server.id)}
        />
      )}
    />
  );
};
