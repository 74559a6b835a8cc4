import { waitAtMost } from "@/lib/wait-at-most";
import type { McpServerState } from "@/contract/mcp-server";
import type { ConnectionListener, ServerConnection } from "./connect-server";
import { explainUselessConnection } from "@/server/net/useless-connection";
import { describeFailure } from "./describe-failure";
import { isCut } from "./explain-failure";

type MaintainDeps = {
  connect: (listener: Omit<ConnectionListener, "onCommandsChanged">) => Promise<ServerConnection>;
  /** Reads what the server offers, when it is new or has changed. A rejection ends the connection. */
  refresh: (connection: ServerConnection) => Promise<void>;
  /** Called when there is no connection. Does not throw. */
  onFailure: (reason: string) => void;
  /** Longest waits; replaced in tests. */
  waits?: ConnectionWaits | undefined;
};

/** How long others wait for a connection, in ms. */
export type ConnectionWaits = {
  /** A turn, for a server that this process has not been connected to yet. */
  ready: number;
  /** A call, for a server that is lost. */
  required: number;
};

/** A connection that is made again when it is lost, after pauses that grow. */
export type MaintainedConnection = {
  status: () => { state: Exclude<McpServerState, "off">; error?: string };
  /** Settles when the first attempt has ended, or takes too long to be waited for. Does not reject. */
  ready: Promise<void>;
  /** @returns the current connection, if any. */
  current: () => ServerConnection | undefined;
  /** Connects now if there is no connection. @returns undefined if that fails or takes too long. */
  require: () => Promise<ServerConnection | undefined>;
  /** Ends a connection that does not work any more. */
  lose: (connection: ServerConnection, reason: string) => void;
  /** Ends the connection for good. Does not reject. */
  close: () => Promise<void>;
};

/** People wait meanwhile. */
const WAITS: ConnectionWaits = { ready: 5_000, required: 10_000 };
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** A connection that held this long is not one of a series of failures. */
const STABLE_MS = 60_000;

export const keepConnected = (deps: MaintainDeps): MaintainedConnection => {
  const { waits = WAITS } = deps;
  const closing = new AbortController();
  let connection: ServerConnection | undefined;
  let attempt: Promise<void> | undefined;
  let error: string | undefined;
  const reconnect = (): Promise<void> =>
    (attempt ??= tryToConnect().finally(() => (attempt = undefined)));
  const retry = createRetry(reconnect);

  const fail = (reason: string, shouldRetry = true): void => {
    if (closing.signal.aborted) return;
    error = reason;
    deps.onFailure(reason);
    if (shouldRetry) retry.schedule();
  };
  const lose = (lost: ServerConnection, reason: string): void => {
    if (connection !== lost) return;
    connection = undefined;
    lost.close().catch(() => undefined);
    fail(reason);
  };
  const tryToConnect = async (): Promise<void> => {
    retry.cancel();
    try {
      connection = await open(deps, { signal: closing.signal, lose });
      error = undefined;
      retry.succeed();
    } catch (reason) {
      // Until somebody changes something, each attempt would end likewise.
      fail(describeFailure(reason), explainUselessConnection(reason) === undefined);
    }
  };

  return {
    status: () => ({
      state: connection ? "connected" : error === undefined ? "connecting" : "failed",
      ...(error !== undefined && { error }),
    }),
    ready: waitAtMost(reconnect(), waits.ready),
    current: () => connection,
    require: async () => {
      if (!connection && !closing.signal.aborted) await waitAtMost(reconnect(), waits.required);
      return connection;
    },
    lose,
    close: async () => {
      closing.abort(new Error("The connection is not needed any more."));
      retry.cancel();
      await Promise.all([attempt, connection?.close()]).catch(() => undefined);
      connection = undefined;
    },
  };
};

type OpenOptions = Pick<MaintainedConnection, "lose"> & { signal: AbortSignal };

/** Connects to the server and reads what it offers. Rejects when it cannot be used. */
const open = async (
  { connect, refresh }: MaintainDeps,
  { signal, lose }: OpenOptions,
): Promise<ServerConnection> => {
  let opened: ServerConnection | undefined = undefined;
  const current = (): ServerConnection | undefined => opened;
  const refreshOne = createSerial(async () => {
    const changed = current();
    if (changed) await refresh(changed);
  });
  const update = async (): Promise<void> => {
    const changed = current();
    if (!changed) return;
    await refreshOne().catch((reason: unknown) => lose(changed, describeFailure(reason)));
  };
  const connection = await connect({
    signal,
    onToolsChanged: () => {
      update().catch(() => undefined);
    },
    onClose: () => {
      const closed = current();
      if (closed) lose(closed, closed.findProblem() ?? CLOSED);
    },
  });
  opened = connection;
  const onAbort = (): void => {
    // Ends the refresh, which would otherwise wait for the server.
    connection.close().catch(() => undefined);
  };
  signal.addEventListener("abort", onAbort);
  try {
    signal.throwIfAborted();
    await refreshOne();
    signal.throwIfAborted();
    return connection;
  } catch (reason) {
    const known = connection.findProblem();
    await connection.close().catch(() => undefined);
    // Closing ends the program, which is the reason only if the connection had ended before.
    const problem = known ?? (isCut(reason) ? connection.findProblem() : undefined);
    throw problem === undefined ? reason : new Error(problem, { cause: reason });
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
};

/**
 * Runs a function, and again after it if that was asked for meanwhile: of two that run at the same time, the older one could
 * be the last to end.
 */
const createSerial = (run: () => Promise<void>) => {
  let running: Promise<void> | undefined;
  let isStale = false;
  const runAll = async (): Promise<void> => {
    do {
      isStale = false;
      await run();
    } while (isStale);
  };
  return (): Promise<void> => {
    if (running) isStale = true;
    return (running ??= runAll().finally(() => (running = undefined)));
  };
};

const CLOSED = "The server has closed the connection.";

/** Calls a function after pauses that double with each failure. */
const createRetry = (callback: () => Promise<void>) => {
  let failures = 0;
  let connectedAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    schedule: (): void => {
      if (connectedAt !== undefined && performance.now() - connectedAt > STABLE_MS) failures = 0;
      connectedAt = undefined;
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          callback().catch(() => undefined);
        },
        Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** failures),
      );
      timer.unref();
      failures = Math.min(failures + 1, MAX_PAUSE_MS / MIN_PAUSE_MS);
    },
    succeed: (): void => void (connectedAt = performance.now()),
    cancel: (): void => clearTimeout(timer),
  };
};
