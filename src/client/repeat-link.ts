import type { Operation, TRPCClientError, TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { v4 as createKey } from "uuid";
import type { AppRouter } from "@/server/api/router";
import { waitForServer, waitToRetry } from "./reach-server";
import { toProblem } from "./to-problem";
import { setWaiting } from "./waiting-commands";

/** Commands of the page that are not repeated: the server takes no idempotency key for them. */
export const UNREPEATABLE: ReadonlySet<string> = new Set([
  "account.changePassword",
  "apiKeys.create",
  "mcpCommands.run",
  "mcpServers.test",
  "models.create",
  "models.discover",
  "models.test",
  "models.update",
  "notifications.subscribe",
  "notifications.test",
  "recipes.reload",
  "recipes.run",
]);

/** Longest time after which a person still means what they pressed, of commands about the present moment. */
const MAX_AGE_MS = new Map([["chats.interrupt", 60_000]]);

/** What a caller of a command may say of its repetition. */
export type RepeatContext = {
  /** Called when the server could not be reached; it will be asked again. */
  onUnreachable?: () => void;
};

type RepeatDeps = {
  /** Resolves when the server answers, or when the signal is aborted; it does not throw. */
  wait?: (signal: AbortSignal) => Promise<unknown>;
};

/**
 * Creates the link that sends a command again when the server is back, until it has answered. Each command has a key,
 * under which the server carries it out once, however often it comes (ADR 0029).
 */
export const createRepeatLink =
  ({ wait = waitToRepeat }: RepeatDeps = {}): TRPCLink<AppRouter> =>
  () =>
  ({ op, next }) => {
    if (op.type !== "mutation" || UNREPEATABLE.has(op.path)) return next(op);
    op.context.idempotencyKey = createKey();
    return observable((observer) => {
      const end = new AbortController();
      const expiresAt = Date.now() + (MAX_AGE_MS.get(op.path) ?? Number.POSITIVE_INFINITY);
      const mayRepeat = (error: TRPCClientError<AppRouter>): boolean =>
        toProblem(error).code === "unavailable" && !op.signal?.aborted && Date.now() < expiresAt;
      const repeat = async (error: TRPCClientError<AppRouter>): Promise<void> => {
        setWaiting(op, true);
        (op.context as RepeatContext).onUnreachable?.();
        await wait(op.signal ? AbortSignal.any([end.signal, op.signal]) : end.signal);
        if (end.signal.aborted) return;
        if (mayRepeat(error)) attempt();
        else fail(error);
      };
      const fail = (error: TRPCClientError<AppRouter>): void => {
        setWaiting(op, false);
        observer.error(error);
      };
      let unsubscribe: (() => void) | undefined;
      const attempt = (): void => {
        const subscription = next(op).subscribe({
          next: (value) => {
            setWaiting(op, false);
            observer.next(value);
          },
          complete: () => observer.complete(),
          error: (error) => {
            if (mayRepeat(error)) repeat(error).catch((failure: unknown) => reportError(failure));
            else fail(error);
          },
        });
        unsubscribe = () => subscription.unsubscribe();
      };
      attempt();
      return () => {
        end.abort();
        setWaiting(op, false);
        unsubscribe?.();
      };
    });
  };

/** A server that answers may still refuse, as while it starts. */
const waitToRepeat = async (signal: AbortSignal): Promise<void> => {
  await waitToRetry(signal);
  await waitForServer(signal);
};

/** @returns the header with the keys of the commands of a request, in their order; empty for those without. */
export const toKeyHeader = (ops: readonly Operation[]): Record<string, string> => {
  const keys = ops.map(({ context: { idempotencyKey } }) =>
    typeof idempotencyKey === "string" ? idempotencyKey : "",
  );
  return keys.some((key) => key !== "") ? { "idempotency-key": keys.join(",") } : {};
};
