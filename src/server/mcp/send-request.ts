import type { McpServerInput } from "@/contract/mcp-server";
import { type CallOptions, describeServer, type ServerConnection } from "./connect-server";
import { type CallFailure, explainFailure } from "./explain-failure";
import type { MaintainedConnection } from "./keep-connected";

/** What became of a request: a failure is a sentence for models and people. */
export type RequestOutcome<Result> =
  { type: "returned"; result: Result } | { type: "failed"; message: string };

type RequestOptions = Pick<CallOptions, "signal" | "timeoutMs"> & {
  /** Whether the request changes nothing at the server. */
  isRead: boolean;
};

/** Sends a request over the connection, and once more if it was certainly not begun. */
export type SendRequest = <Result>(
  send: (connection: ServerConnection) => Promise<Result>,
  options: RequestOptions,
) => Promise<RequestOutcome<Result>>;

export const createSendRequest = (
  declaration: McpServerInput,
  maintained: Pick<MaintainedConnection, "require" | "status" | "lose">,
): SendRequest => {
  const sendOnce = async <Result>(
    send: (connection: ServerConnection) => Promise<Result>,
    { signal, timeoutMs, isRead }: RequestOptions,
  ): Promise<RequestOutcome<Result> | CallFailure> => {
    const connection = await maintained.require();
    signal.throwIfAborted();
    if (!connection) {
      const { error = "" } = maintained.status();
      return {
        type: "failed",
        message: `${describeServer(declaration)} is not connected. ${error}`,
      };
    }
    try {
      return { type: "returned", result: await send(connection) };
    } catch (reason) {
      signal.throwIfAborted();
      const failure = explainFailure(reason, {
        declaration: { name: declaration.name, timeout_seconds: timeoutMs / 1_000 },
        connection,
        isRead,
      });
      if (failure.isLost) maintained.lose(connection, failure.message);
      return failure;
    }
  };
  return async (...sent) => {
    const first = await sendOnce(...sent);
    if ("type" in first) return first;
    const outcome = first.isUnsent ? await sendOnce(...sent) : first;
    return "type" in outcome ? outcome : { type: "failed", message: outcome.message };
  };
};
