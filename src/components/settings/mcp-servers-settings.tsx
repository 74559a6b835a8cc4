"use client";
import { lazy } from "react";
import { importPart } from "@/components/ui/import-part";
import type { McpServer, McpServerInput, UpdateMcpServerInput } from "@/contract/mcp-server";
import { EditableList, type RecordsProps } from "./editable-list";
import { McpServerRow, type McpServerTrial } from "./mcp-server-row";
import type { McpToolModes } from "./mcp-tool-list";

const McpServerForm = lazy(() => importPart(() => import("./mcp-server-form")));

type McpServersSettingsProps = RecordsProps<
  McpServer,
  McpServerInput,
  UpdateMcpServerInput,
  McpServerTrial
> &
  McpToolModes;

/** Lists the MCP servers, adds, changes, tests and deletes them, and sets how their tools are offered. */
export const McpServersSettings = (props: McpServersSettingsProps) => (
  <EditableList
    {...props}
    title="MCP servers"
    lead="Tools of other programs, by the Model Context Protocol. Every chat may use them."
    noun="MCP server"
    getKey={({ id }) => id}
    form={(server, frame) => (
      <McpServerForm
        {...frame}
        server={server}
        onSubmit={(input) =>
          server
            ? props.onUpdate({ ...input, server_id: server.id }, frame.onSaved)
            : props.onCreate(input, frame.onSaved)
        }
      />
    )}
    row={(server, onEdit) => (
      <McpServerRow {...props} item={server} trial={props.trials[server.id]} onEdit={onEdit} />
    )}
  />
);
