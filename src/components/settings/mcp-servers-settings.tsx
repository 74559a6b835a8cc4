"use client";
import type { McpServer, McpServerInput, UpdateMcpServerInput } from "@/contract/mcp-server";
import type { Problem } from "@/contract/problem";
import type { SetToolModeInput, ToolModes } from "@/contract/tool";
import { EditableList } from "./editable-list";
import type { Loadable } from "./loaded";
import { McpServerForm } from "./mcp-server-form";
import { McpServerRow, type McpServerTest } from "./mcp-server-row";

type McpServersSettingsProps = {
  servers: Loadable<readonly McpServer[]>;
  onReload: () => void;
  /** `onSaved` is called when the server is saved. */
  onCreate: (server: McpServerInput, onSaved: () => void) => void;
  onUpdate: (server: UpdateMcpServerInput, onSaved: () => void) => void;
  isSaving: boolean;
  /** Why the form was not saved. */
  saveProblem: Problem | undefined;
  /** Forgets that problem. */
  onCloseForm: () => void;
  onToggle: (change: Pick<UpdateMcpServerInput, "server_id" | "enabled">) => void;
  onDelete: (serverId: string) => void;
  /** Why the last change of a row failed. */
  changeProblem: Problem | undefined;
  onTest: (serverId: string) => void;
  /** The last test of each server, by its id. */
  tests: Readonly<Record<string, McpServerTest>>;
  modes: ToolModes;
  onSetMode: (change: SetToolModeInput) => void;
};

/** Lists the MCP servers, adds, changes, tests and deletes them, and sets how their tools are offered. */
export const McpServersSettings = (props: McpServersSettingsProps) => {
  const { servers, onReload, onCloseForm, changeProblem, tests, modes, onSetMode } = props;
  return (
    <EditableList
      title="MCP servers"
      lead="Tools of other programs, by the Model Context Protocol. Every chat may use them."
      noun="MCP server"
      items={servers}
      onReload={onReload}
      keyOf={({ id }) => id}
      form={(server, onClose) => <OpenForm {...props} server={server} onClose={onClose} />}
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
      onCloseForm={onCloseForm}
      changeProblem={changeProblem}
    />
  );
};

type OpenFormProps = Pick<
  McpServersSettingsProps,
  "onCreate" | "onUpdate" | "isSaving" | "saveProblem"
> & { server: McpServer | undefined; onClose: () => void };

const OpenForm = (props: OpenFormProps) => {
  const { server, onCreate, onUpdate, isSaving, saveProblem, onClose } = props;
  return (
    <McpServerForm
      server={server}
      onSubmit={(input) =>
        server ? onUpdate({ ...input, server_id: server.id }, onClose) : onCreate(input, onClose)
      }
      onCancel={onClose}
      isBusy={isSaving}
      problem={saveProblem}
    />
  );
};
