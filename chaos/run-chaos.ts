import { setTimeout as pause } from "node:timers/promises";
import pLimit from "p-limit";
import { createTestServer } from "../e2e/server";
import { createTestDatabase } from "../e2e/test-database";
import { isRepeatable } from "./actions";
import { checkChat } from "./checks/check-chat";
import { checkClaims } from "./checks/check-claims";
import { checkDatabase } from "./checks/check-database";
import { checkJournal } from "./checks/check-journal";
import { checkRepetitions } from "./checks/check-repetitions";
import { loseLeases } from "./claim-actions";
import { type ChaosClients, createClients } from "./clients";
import { startDatabaseProxy } from "./database-proxy";
import { type FaultName, FAULTS, type World } from "./faults";
import { createLedger, type Finding, type Ledger, type TrackedChat } from "./ledger";
import { startHostileProvider } from "./provider/hostile-provider";
import { createSeededRandom, type Random } from "./random";
import { waitForRest } from "./wait-for-rest";

export type ChaosOptions = {
  rounds: number;
  seed: number;
  /** One of them strikes in each round, in turn. */
  faults: readonly FaultName[];
  /** Of a PostgreSQL server; without it, the database is the embedded one. */
  postgresUrl: string | undefined;
  /** Whether the run waits, at its end, until the leases of programs that have died are over. It takes most of a minute. */
  losesLeases?: boolean;
  log: (line: string) => void;
};

export type ChaosReport = {
  rounds: number;
  acknowledged: number;
  /** Calls that programs were given. */
  claims: number;
  modelCalls: number;
  findings: Finding[];
  /** All output of the server. */
  output: string;
};

/** Chats created at the start of each round; clients also act on those of the round before. */
const NEW_CHATS = 4;
/** Chats whose streams are followed and that are checked after a round; after the last, all are checked. */
const RECENT_CHATS = 24;
/** Clients that act at the same time. */
const CLIENTS = 6;
/** Pause between actions of a client; without it, the queues would only be full. */
const CLIENT_PAUSE_MS = 60;
/** The fault strikes at a random time between these, and clients go on for a time after it. */
const MIN_BEFORE_MS = 30;
const MAX_BEFORE_MS = 1_600;
const AFTER_MS = 400;
/** All chats rest in this time after a fault: longer than the back-off between two calls of the model. */
const SETTLE_TIMEOUT_MS = 90_000;

/** Runs rounds of clients, one fault and all checks. It only rejects if the run itself fails. */
export const runChaos = async (options: ChaosOptions): Promise<ChaosReport> => {
  const random = createSeededRandom(options.seed);
  const ledger = createLedger(options.log);
  const world = await createWorld(options, random);
  const { server, provider } = world;
  const clients = createClients({ api: server.api, ledger, random });
  const { losesLeases = false } = options;
  try {
    await server.start();
    for (let round = 1; round <= options.rounds; round++) {
      const fault = options.faults[(round - 1) % options.faults.length] ?? "kill";
      const isLast = round === options.rounds;
      await runRound({ world, clients, ledger }, { fault, isLast, losesLeases });
      options.log(`round ${round}: ${fault}, ${ledger.acknowledged} acknowledged so far`);
    }
  } finally {
    await world.close();
  }
  return {
    rounds: options.rounds,
    acknowledged: ledger.acknowledged,
    claims: ledger.claims.length,
    modelCalls: provider.journal.length,
    findings: ledger.findings(),
    output: server.output(),
  };
};

/** Starts everything except the server. */
const createWorld = async (
  { postgresUrl }: ChaosOptions,
  random: Random,
): Promise<World & { close: () => Promise<void> }> => {
  const provider = await startHostileProvider(random);
  const database = await createTestDatabase(postgresUrl);
  const url = database.env.DATABASE_URL;
  const proxy = url === undefined ? undefined : await startDatabaseProxy(url);
  const server = await createTestServer({
    database,
    settings: {
      ...(proxy && { DATABASE_URL: proxy.url }),
      PARLEY_MODELS: "openai-compatible/chaos",
      OPENAI_COMPATIBLE_BASE_URL: provider.url,
      // The journal has the calls of turns only.
      PARLEY_TITLES: "off",
    },
  });
  return {
    server,
    provider,
    random,
    postgres: url !== undefined && proxy ? { database, url, proxy } : undefined,
    close: async () => {
      await server.remove();
      await proxy?.close();
      await provider.close();
    },
  };
};

type Run = { world: World; clients: ChaosClients; ledger: Ledger };

type Round = { fault: FaultName; isLast: boolean; losesLeases: boolean };

const runRound = async (run: Run, { fault, isLast, losesLeases }: Round): Promise<void> => {
  const { world, clients, ledger } = run;
  const { server, random, postgres } = world;
  const streams = new AbortController();
  const follow = (chat: TrackedChat): Promise<void> => clients.followStream(chat, streams.signal);
  // All streams at once would be more than one key may open. Clients act on recent chats only.
  const recent = ledger.chats.slice(-RECENT_CHATS);
  const following = recent.map(follow);
  const known = ledger.chats.slice(isLast ? 0 : -RECENT_CHATS);
  const first = ledger.chats.length;

  const acting = act(run);
  await pause(random.between(MIN_BEFORE_MS, MAX_BEFORE_MS));
  await FAULTS[fault](world);
  await pause(AFTER_MS);
  await acting.stop();
  const created = ledger.chats.slice(first);
  following.push(...created.map(follow));

  if (isLast && losesLeases) {
    await loseLeases(server.api, ledger, isRepeatable).catch((error: unknown) => {
      ledger.report("stuck", formatError(error));
    });
  }
  const isSettled = await settle(run, {
    chats: [...known, ...created],
    followed: new Set([...recent, ...created]),
  });
  checkClaims(ledger);
  if (isSettled) await checkRepetitions(server.api, ledger);
  streams.abort();
  await Promise.all(following);
  postgres?.proxy.restore();
  // A server that hangs would only spoil the next rounds.
  if (!isSettled) await server.kill();
  else if (!postgres) await server.stop();
  if (isSettled) await checkDatabase(server.database, ledger);
  if (!isSettled || !postgres) {
    await server.database.expireLeases();
    await server.start();
  }
};

/** Lets the clients act until `stop`, which waits for the answers that they still wait for. */
const act = ({ clients, ledger }: Run) => {
  let isOver = false;
  const known = ledger.chats.slice(-2 * NEW_CHATS);
  const first = ledger.chats.length;
  const loops = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      await clients.runRandomAction([...known, ...ledger.chats.slice(first)]);
      await pause(CLIENT_PAUSE_MS);
    }
  });
  const creations = Array.from({ length: NEW_CHATS }, () => clients.create());
  return {
    stop: async (): Promise<void> => {
      isOver = true;
      await Promise.all([...creations, ...loops]);
    },
  };
};

/** Waits until all chats rest and their streams have shown it, and checks them. */
const settle = async (
  { world: { server, provider }, ledger, clients }: Run,
  { chats, followed }: { chats: readonly TrackedChat[]; followed: ReadonlySet<TrackedChat> },
): Promise<boolean> => {
  const limit = pLimit(RECENT_CHATS);
  const waitAndCheck = async (chat: TrackedChat) => {
    if (followed.has(chat)) return waitAndCheckFollowed(chat);
    // Programs claim calls of any chat, and their leases end in a later round.
    return limit(async () => {
      const stream = new AbortController();
      const following = clients.followStream(chat, stream.signal);
      try {
        return await waitAndCheckFollowed(chat);
      } finally {
        stream.abort();
        await following;
      }
    });
  };
  const waitAndCheckFollowed = async (chat: TrackedChat) => {
    await waitForRest(server.api, chat, SETTLE_TIMEOUT_MS);
    return checkChat(server.api, ledger, chat);
  };
  const results = await Promise.allSettled(chats.map(waitAndCheck));
  const failures = results.filter((result) => result.status === "rejected");
  for (const { reason } of failures) ledger.report("stuck", formatError(reason));
  const histories = results.flatMap((result) =>
    result.status === "fulfilled" ? [result.value] : [],
  );
  checkJournal(ledger, provider.journal, histories);
  return failures.length === 0;
};

/** Longer texts have whole chats. */
const MAX_ERROR_LENGTH = 300;

const formatError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `: ${formatError(error.cause)}`;
  return `${error.message}${cause}`.slice(0, MAX_ERROR_LENGTH);
};
