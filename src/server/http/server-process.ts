import { EventEmitter, once } from "node:events";
import { createServer, type Server } from "node:http";
import next from "next";
import { formatHost } from "@/lib/format-host";
import { announceFront, findApi, startedApi } from "@/server/api/process-api";
import type { ApiRequest } from "@/server/api/request-body";
import { isDatabaseDamaged, isDatabaseReachable } from "@/server/db/connection/process-database";
import { type Env, env } from "@/server/env";
import { installExceptionGuard } from "@/server/exception-guard";
import { exitWithReason } from "@/server/exit-with-reason";
import { log } from "@/server/log";
import { appMetrics } from "@/server/metrics/app-metrics";
import { isReady, markReady } from "@/server/stream/readiness";
import { shutdown } from "@/server/stream/shutdown";
import { createAccessLog } from "./access-log";
import { makeCompressible } from "./compressible";
import { createFirstAnswer } from "./first-answer";
import { createHttpFront } from "./http-front";
import { isRest, serveRest } from "./serve-rest";

/** How long a request may take to arrive: an archive of 1 GB, at 2.5 Mbit/s. */
const MAX_REQUEST_MS = 60 * 60_000;

/** Waits for the process, as Next does. */
const handleRest = async (request: ApiRequest): Promise<Response> =>
  (await startedApi()).handleRest(request);

/** Starts the web server: REST and Next behind the HTTP front. */
const startServer = async ({ dev }: { dev: boolean }): Promise<void> => {
  const settings = env();
  const { hostname, port } = settings;
  // Next adds its listener for upgrades to this in place of the server, which the front guards.
  const upgrades = new EventEmitter() as Server;
  announceFront();
  const app = next({ dev, hostname, port, httpServer: upgrades });
  await app.prepare();
  const handleByNext = app.getRequestHandler();
  const firstAnswer = createFirstAnswer({ isReady, markReady });
  const front = createHttpFront({
    settings,
    observe: createAccessLog({
      log: log(),
      record: appMetrics().record,
      findRoutePattern: (target) => findApi()?.findRoutePattern(target) ?? "/*",
    }),
    isDraining: () => shutdown.signal.aborted,
    isDatabaseReachable,
    isDatabaseDamaged,
    handle: (request, response) => {
      const { url = "" } = request;
      firstAnswer.watch(url, response);
      makeCompressible(url, response);
      const served = isRest(url)
        ? serveRest(handleRest, request, response)
        : handleByNext(request, response);
      served.catch((error: unknown) => {
        log().error({ err: error }, "a request failed outside of its handler");
        response.destroy();
      });
    },
  });
  const server = createServer({ requestTimeout: MAX_REQUEST_MS }, front.handleRequest);
  // Pages use a WebSocket in development only, to reload.
  if (dev) server.on("upgrade", front.toUpgradeHandler(upgrades));
  await listen(server, settings);
  firstAnswer.limit();
  process.stdout.write(`Parley is at ${toUrl(server, hostname)}\n`);
};

/** @throws {Error} one sentence, if the address cannot be listened on. */
const listen = async (server: Server, { hostname, port }: Env): Promise<void> => {
  try {
    server.listen(port, hostname);
    await once(server, "listening");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const reason = LISTEN_ERRORS[code];
    throw reason === undefined ? error : new Error(reason(hostname, port), { cause: error });
  }
};

const LISTEN_ERRORS: Record<string, (hostname: string, port: number) => string> = {
  EADDRINUSE: (_hostname, port) =>
    `Port ${port} is in use: end the program that has it, or set PORT to another one.`,
  EACCES: (_hostname, port) =>
    `Port ${port} needs more rights: set PORT to one from 1024 to 65535.`,
  EADDRNOTAVAIL: (hostname) =>
    `HOSTNAME is "${hostname}", which is no address of this machine: set it to one, or to 0.0.0.0 for all.`,
  ENOTFOUND: (hostname) =>
    `HOSTNAME is "${hostname}", which is no known host: set it to an address of this machine.`,
};

const toUrl = (server: Server, hostname: string): string => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return `http://${formatHost(hostname)}:${port ?? ""}`;
};

installExceptionGuard();
try {
  await startServer({ dev: process.argv[2] === "dev" });
} catch (error) {
  exitWithReason(error);
}
