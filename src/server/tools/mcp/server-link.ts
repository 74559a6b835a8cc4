import type { CallToolResult } from "@modelcontextprotocol/client";
import type { JsonObject } from "@/contract/json";
import { log } from "@/server/log";
import {
  type CallOptions,
  type ConnectionListener,
  describeServer,
  type ServerConnection,
} from "./connect-server";
import { type CallFailure, explainFailure } from "./explain-failure";
import { type ConnectionWaits, type Keeper, keepConnected } from "./keep-connected";
import { type OfferedMcpTools, toOfferedTools } from "./offered-tools";
import type { McpServerRecord } from "./server-record";

/** What became of a call: a failure is a sentence for the model. */
export type CallOutcome =
  { type: "returned"; result: CallToolResult } | { type: "failed"; message: string };

/** A server that this process is connected to, or tries to be. */
export type ServerLink = Pick<Keeper, "status" | "ready" | "close"> & {
  record: McpServerRecord;
  /** What the server had last, also while it is lost. */
  offered: () => OfferedMcpTools;
  /** Rejects only as the signal of the options was aborted. */
  call: (tool: string, args: JsonObject, options: CallOptions) => Promise<CallOutcome>;
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
  const keeper = keepConnected({
    waits,
    connect: (listener) => connect(record, listener),
    refresh: async (connection) => {
      offered = toOfferedTools(declaration.name, await connection.listTools());
    },
    onFailure: (reason) => {
      log().warn({ server: declaration.name, reason }, "no connection to an MCP server");
    },
  });

  const callOnce = async (
    ...[tool, args, options]: Parameters<ServerLink["call"]>
  ): Promise<CallOutcome | CallFailure> => {
    const connection = await keeper.require();
    options.signal.throwIfAborted();
    if (!connection) {
      const { error = "" } = keeper.status();
      return {
        type: "failed",
        message: `${describeServer(declaration)} is not connected. ${error}`,
      };
    }
    try {
      return { type: "returned", result: await connection.callTool(tool, args, options) };
    } catch (reason) {
      options.signal.throwIfAborted();
      const failure = explainFailure(reason, { declaration, connection });
      if (failure.isLost) keeper.lose(connection, failure.message);
      return failure;
    }
  };

  return {
    record,
    status: keeper.status,
    ready: keeper.ready,
    close: keeper.close,
    offered: () => offered,
    call: async (...call) => {
      const first = await callOnce(...call);
      if ("type" in first) return first;
      const outcome = first.isUnsent ? await callOnce(...call) : first;
      return "type" in outcome ? outcome : { type: "failed", message: outcome.message };
    },
  };
};
