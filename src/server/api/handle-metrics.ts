import { createHash, timingSafeEqual } from "node:crypto";
import { DomainError } from "@/contract/domain-error";
import { countChats } from "@/server/db/chat-count-reads";
import type { Database } from "@/server/db/database";
import type { Env } from "@/server/env";
import { chatGauge } from "@/server/metrics/chat-gauge";
import type { Metrics } from "@/server/metrics/app-metrics";
import type { ApiLog } from "./api-log";
import { failureAnswer } from "./failure-answer";
import { toDomainError } from "./problem";
import { requestIdOf } from "./request-id";

type MetricsSeams = {
  db: Database;
  metrics: Pick<Metrics, "register">;
  /** `hostname` is where the server listens. */
  settings: Pick<Env, "metricsToken" | "hostname">;
  log: ApiLog;
};

/** Answers `/metrics` in the text format of Prometheus. */
export const handleMetrics = async (request: Request, seams: MetricsSeams): Promise<Response> => {
  const { db, metrics } = seams;
  try {
    requireAccess(request.headers, seams.settings);
    const text = (await metrics.register.metrics()) + (await chatGauge(await countChats(db)));
    return new Response(text, {
      headers: { "content-type": metrics.register.contentType, "cache-control": "no-store" },
    });
  } catch (error) {
    const requestId = requestIdOf(request.headers);
    const { log } = seams;
    const failure = failureAnswer(toDomainError(error), { request, requestId, log });
    return new Response(failure.body, {
      status: failure.status,
      headers: { ...failure.headers, "x-request-id": requestId },
    });
  }
};

/**
 * A server that listens on this machine alone is asked by this machine alone, unless a proxy says
 * that it asks for somebody else. Everybody else shows the token.
 */
const requireAccess = (headers: Headers, settings: MetricsSeams["settings"]): void => {
  const { metricsToken, hostname } = settings;
  if (isLoopback(hostname) && forwardedFor(headers).every(isLoopback)) return;
  if (metricsToken === null) {
    throw new DomainError("forbidden", "Metrics are for this machine only: set METRICS_TOKEN.", {
      shouldRetry: false,
    });
  }
  const shown = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "";
  if (!isSame(shown, metricsToken)) {
    throw new DomainError("unauthorized", "The metrics token is missing or wrong.", {
      shouldRetry: false,
    });
  }
};

const forwardedFor = (headers: Headers): string[] =>
  (headers.get("x-forwarded-for") ?? "")
    .split(",")
    .map((address) => address.trim())
    .filter((address) => address !== "");

const isLoopback = (address: string): boolean =>
  address === "localhost" || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^\[?::1\]?$/i.test(address);

/** Takes the same time whatever is shown. */
const isSame = (shown: string, token: string): boolean => {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(shown), digest(token));
};
