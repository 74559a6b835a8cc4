import type { McpServerInput } from "@/contract/mcp-server";
import { loadSdk } from "./load-sdk";
import { describeServer, type ServerConnection } from "./connect-server";
import { describeFailure } from "./describe-failure";

type FailedCall = {
  declaration: Pick<McpServerInput, "name" | "timeout_seconds">;
  connection: Pick<ServerConnection, "findProblem">;
};

export type CallFailure = {
  /** For the model. */
  message: string;
  /** Whether the connection does not work any more. */
  isLost: boolean;
  /** Whether the server has not begun the call, so that it can be sent again. */
  isUnsent: boolean;
};

/** The answer to a session that the server does not know any more, as it was started again. */
const UNKNOWN_SESSION = 404;
/** Of servers that say so in words. */
const BAD_REQUEST = 400;

/** Explains to the model why a call failed. */
export const explainFailure = (
  reason: unknown,
  { declaration, connection }: FailedCall,
): CallFailure => {
  const { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } = loadSdk();
  const server = describeServer(declaration);
  if (reason instanceof ProtocolError) {
    const message = `${server} has refused the call: ${describeFailure(reason)}`;
    return { message, isLost: false, isUnsent: false };
  }
  if (reason instanceof SdkError && reason.code === SdkErrorCode.RequestTimeout) {
    return {
      message: `Timed out: ${server} did not answer in ${declaration.timeout_seconds} seconds, and the call was cancelled. It may have taken effect or not.`,
      ...{ isLost: false, isUnsent: false },
    };
  }
  const isUnsent =
    (reason instanceof SdkHttpError && isUnknownSession(reason)) || isRefused(reason);
  const why = connection.findProblem() ?? describeFailure(reason);
  const effect = isUnsent ? "" : " The call may have taken effect or not.";
  return { message: `${server} could not be called: ${why}${effect}`, isLost: true, isUnsent };
};

const isUnknownSession = ({ status, message }: { status: number; message: string }): boolean =>
  status === UNKNOWN_SESSION || (status === BAD_REQUEST && /session/i.test(message));

/** Whether no connection to the server could be made. */
const isRefused = (reason: unknown): boolean => {
  const cause = reason instanceof Error ? reason.cause : undefined;
  return reason instanceof Error && `${reason.message} ${String(cause)}`.includes("ECONNREFUSED");
};
