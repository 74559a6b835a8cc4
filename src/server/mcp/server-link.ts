import type { CallToolResult } from "@modelcontextprotocol/client";
import type { JsonObject } from "@/contract/json";
import { log } from "@/server/log";
import type { CallOptions, ConnectionListener, ServerConnection } from "./connect-server";
import { type ConnectionWaits, type MaintainedConnection, keepConnected } from "./keep-connected";
import { type OfferedMcpTools, toOfferedTools } from "./tools/offered-tools";
import { createSendRequest, type RequestOutcome } from "./send-request";
import { createServerCommands, type ServerCommands } from "./tools/server-commands";
import type { McpServerRecord } from "./server-record";

/** A server that this process is connected to, or tries to be. */
export type ServerLink = Pick<MaintainedConnection, "status" | "ready" | "close"> & {
  record: McpServerRecord;
  /** The last list of the server, also while the connection is lost. */
  offered: () => OfferedMcpTools;
  /** Rejects only as the signal of the options was aborted. */
  call: (
    tool: string,
    args: JsonObject,
    options: CallOptions,
  ) => Promise<RequestOutcome<CallToolResult>>;
  commands: ServerCommands;
};

export type Connect = (
  record: McpServerRecord,
  listener: ConnectionListener,
) => Promise<ServerConnection>;

const NO_TOOLS: OfferedMcpTools = { tools: [], notices: [] };

/** Connects to a server, and again whenever the connection is lost. */
export const createServerLink = (
  record: McpServerRecord,
  connect: Connect,
  waits?: ConnectionWaits,
): ServerLink => {
  const { declaration } = record;
  let offered = NO_TOOLS;
  const maintained = keepConnected({
    waits,
    connect: (listener) =>
      connect(record, { ...listener, onCommandsChanged: () => commands.forget() }),
    refresh: async (connection) => {
      commands.forget();
      offered = toOfferedTools(declaration.name, await connection.listTools());
    },
    onFailure: (reason) => {
      log().warn({ server: declaration.name, reason }, "no connection to an MCP server");
    },
  });

  const request = createSendRequest(declaration, maintained);
  const commands = createServerCommands(declaration, maintained, request);

  return {
    record,
    status: maintained.status,
    ready: maintained.ready,
    close: maintained.close,
    offered: () => offered,
    call: (tool, args, options) =>
      request((connection) => connection.callTool(tool, args, options), {
        ...options,
        isRead: false,
      }),
    commands,
  };
};
