import type { McpServerInput } from "@/contract/mcp-server";
import { hasErrorCode } from "@/lib/has-error-code";
import { FetchFailure } from "@/server/net/guarded-fetch";
import { loadSdk } from "./load-sdk";
import { describeServer, type ServerConnection } from "./connect-server";
import { describeFailure } from "./describe-failure";

type FailedCall = {
  declaration: Pick<McpServerInput, "name" | "timeout_seconds">;
  connection: Pick<ServerConnection, "findProblem">;
  /** Whether the request changes nothing at the server. */
  isRead: boolean;
};

export type CallFailure = {
  /** A sentence. */
  message: string;
  /** Whether the connection does not work any more. */
  isLost: boolean;
  /** Whether the server has not begun the call, so that it can be sent again. */
  isUnsent: boolean;
};

/** The answer to a session that the server does not know any more, as it was started again. */
const UNKNOWN_SESSION = 404;
/** Messages of servers that report it as text. */
const BAD_REQUEST = 400;

/** Explains to the model, or to a person, why a call failed. */
export const explainFailure = (
  reason: unknown,
  { declaration, connection, isRead }: FailedCall,
): CallFailure => {
  const { ProtocolError, SdkError, SdkErrorCode } = loadSdk();
  const server = describeServer(declaration);
  if (reason instanceof ProtocolError) {
    const message = `${server} has refused the call: ${describeFailure(reason)}`;
    return { message, isLost: false, isUnsent: false };
  }
  if (reason instanceof SdkError && reason.code === SdkErrorCode.RequestTimeout) {
    return {
      message: `Timed out: ${server} did not answer in ${declaration.timeout_seconds} seconds, and the call was cancelled.${isRead ? "" : " It may have taken effect or not."}`,
      isLost: false,
      isUnsent: false,
    };
  }
  const problem = connection.findProblem();
  const isUnsent = isUnknownSession(reason) || isRefused(reason);
  const effect = isUnsent || isRead ? "" : " The call may have taken effect or not.";
  return {
    message: `${server} could not be called: ${problem ?? describeFailure(reason)}${effect}`,
    // Calls share the connection: the failure of one of them does not end the others.
    isLost: problem !== undefined || isUnsent || isCut(reason),
    isUnsent,
  };
};

const isUnknownSession = (reason: unknown): boolean => {
  if (!(reason instanceof loadSdk().SdkHttpError)) return false;
  const { status, message } = reason;
  return status === UNKNOWN_SESSION || (status === BAD_REQUEST && /session/i.test(message));
};

/** Whether the connection ended. */
export const isCut = (reason: unknown): boolean => {
  const { SdkError, SdkErrorCode } = loadSdk();
  if (reason instanceof FetchFailure) return true;
  return (
    reason instanceof SdkError &&
    (reason.code === SdkErrorCode.ConnectionClosed || reason.code === SdkErrorCode.NotConnected)
  );
};

/** Whether no connection to the server could be made; what a message says could be from the server. */
const isRefused = (reason: unknown): boolean =>
  reason instanceof FetchFailure && hasErrorCode(reason.cause, "ECONNREFUSED");
