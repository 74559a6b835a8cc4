import { createHash, timingSafeEqual } from "node:crypto";
import { DomainError, isUnavailable } from "@/contract/domain-error";
import { isLoopback } from "@/lib/is-loopback";
import { getClientAddress } from "@/server/client-address";
import { countChats } from "@/server/db/chats/chat-count-reads";
import type { Database } from "@/server/db/connection/database";
import { countOpenCalls } from "@/server/db/sql/reads/open-call-reads";
import { countRunners } from "@/server/db/sql/reads/runner-reads";
import type { Env } from "@/server/env";
import { countTasks } from "@/server/db/tasks/task-reads";
import {
  formatChatGauge,
  formatDatabaseMetrics,
  formatOpenCalls,
  formatRunners,
  formatTaskGauge,
  type Metrics,
} from "@/server/metrics/app-metrics";
import { type ApiLog, toFailureResponse } from "./failure-response";
import { toDomainError } from "./problem";
import { getRequestId } from "./request-body";

type MetricsDeps = {
  db: Database;
  metrics: Pick<Metrics, "register">;
  settings: Pick<Env, "metricsToken">;
  log: ApiLog;
};

/** Handles `/metrics` in the Prometheus text format. */
export const handleMetrics = async (request: Request, deps: MetricsDeps): Promise<Response> => {
  const { db, metrics } = deps;
  try {
    requireAccess(request.headers, deps.settings);
    const texts = [
      await metrics.register.metrics(),
      await formatCounts(db),
      await formatDatabaseMetrics(db.status()),
    ];
    return new Response(texts.join(""), {
      headers: { "content-type": metrics.register.contentType, "cache-control": "no-store" },
    });
  } catch (error) {
    const requestId = getRequestId(request.headers);
    const { log } = deps;
    const failure = toFailureResponse(toDomainError(error), { request, requestId, log });
    return new Response(failure.body, {
      status: failure.status,
      headers: { ...failure.headers, "x-request-id": requestId },
    });
  }
};

/** @returns nothing while the database is away: all other metrics are needed then most. */
const formatCounts = async (db: Database): Promise<string> => {
  try {
    const texts = [
      await formatChatGauge("chats", await countChats(db)),
      await formatChatGauge("agents", await countChats(db, { onlyAgents: true })),
      await formatTaskGauge(await countTasks(db)),
      await formatOpenCalls(await countOpenCalls(db)),
      await formatRunners(await countRunners(db)),
    ];
    return texts.join("");
  } catch (error) {
    if (isUnavailable(error)) return "";
    throw error;
  }
};

/**
 * Requires the metrics token, except from clients on this machine.
 *
 * @throws {DomainError} `forbidden`, `unauthorized`.
 */
const requireAccess = (headers: Headers, { metricsToken }: MetricsDeps["settings"]): void => {
  if (isLoopback(getClientAddress(headers))) return;
  if (metricsToken === null) {
    throw new DomainError("forbidden", "Metrics are for this machine only: set METRICS_TOKEN.", {
      shouldRetry: false,
    });
  }
  const token = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "";
  if (!isEqualInConstantTime(token, metricsToken)) {
    throw new DomainError("unauthorized", "The metrics token is missing or wrong.", {
      shouldRetry: false,
    });
  }
};

const isEqualInConstantTime = (shown: string, token: string): boolean => {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(shown), digest(token));
};
