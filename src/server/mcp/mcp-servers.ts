import type { FieldError } from "@/contract/problem";
import { getErrorMessage } from "@/lib/error-message";
import { log } from "@/server/log";
import type { McpServerInput, McpServerState, McpServerTestResult } from "@/contract/mcp-server";
import { type ConnectDeps, connectServer, describeServer } from "./connect-server";
import { describeFailure } from "./describe-failure";
import type { ConnectionWaits } from "./keep-connected";
import type { OfferedMcpTools } from "./tools/offered-tools";
import { findTransportProblems } from "./transport-problems";
import { createServerLink, type ServerLink } from "./server-link";
import type { McpServerRecord } from "./server-record";

/** The MCP servers of a process. */
export type McpServers = {
  /** Connects to new servers and leaves those that are gone. Does not reject. */
  sync: () => Promise<void>;
  /** The servers that are on, in the order of their names. Waits a moment for those that are being connected to. */
  listLinks: () => Promise<readonly ServerLink[]>;
  /** Of a server as it is stored, which this process may not have connected to yet. */
  status: (record: McpServerRecord) => { state: McpServerState; error?: string } & OfferedMcpTools;
  /** Finds what is wrong with a way to a server, without connecting. */
  findProblems: (transport: McpServerInput["transport"]) => FieldError[];
  /** Opens another connection; an existing one stays. Does not reject. */
  test: (record: McpServerRecord) => Promise<McpServerTestResult>;
  /** Ends all connections. Does not reject. */
  stop: () => Promise<void>;
};

type McpServersDeps = ConnectDeps & {
  /** All servers by name; the same list as long as it has not changed. May reject. */
  listRecords: () => Promise<readonly McpServerRecord[]>;
  /** Removes what a server has stored that is gone. May reject. */
  removeDirectory: (serverId: string) => Promise<void>;
  /** Longest waits for connections; replaced in tests. */
  waits?: ConnectionWaits;
};

export const createMcpServers = (deps: McpServersDeps): McpServers => {
  const links = new Map<string, ServerLink>();
  const apply = createApply(links, deps);
  let known: readonly McpServerRecord[] = [];
  /** The end of all connections that were left, and of their directories. */
  let cleaning: Promise<unknown> = Promise.resolve();
  let isStopped = false;

  /** @returns what ends when the servers that are gone have ended, which a turn need not wait for. */
  const follow = async (): Promise<{ cleaned: Promise<void> }> => {
    try {
      const records = await deps.listRecords();
      if (isStopped || records === known) return { cleaned: Promise.resolve() };
      const kept = new Set(records.map(({ id }) => id));
      const gone = known.filter(({ id }) => !kept.has(id));
      known = records;
      const cleaned = cleanUp(apply(records), gone, deps);
      cleaning = Promise.all([cleaning, cleaned]);
      return { cleaned };
    } catch (error) {
      log().error({ err: error }, "MCP servers could not be read");
      return { cleaned: Promise.resolve() };
    }
  };

  return {
    sync: async () => (await follow()).cleaned,
    listLinks: async () => {
      await follow();
      const list = known.flatMap(({ id }) => links.get(id) ?? []);
      await Promise.all(list.map(({ ready }) => ready));
      return list;
    },
    status: (record) => {
      const link = links.get(record.id);
      if (link && isSame(record, link.record)) return { ...link.status(), ...link.offered() };
      return { state: record.declaration.enabled ? "connecting" : "off", tools: [], notices: [] };
    },
    findProblems: (transport) => findTransportProblems(transport, deps),
    test: (record) => testServer(record, deps),
    stop: async () => {
      isStopped = true;
      await Promise.all([cleaning, ...[...links.values()].map((link) => link.close())]);
      links.clear();
    },
  };
};

/** Connects to what is new and leaves what is gone. Without an `await`, so that two of them do not connect twice. */
const createApply =
  (links: Map<string, ServerLink>, deps: McpServersDeps) =>
  (records: readonly McpServerRecord[]): Promise<void>[] => {
    const enabled = new Map(
      records.filter(({ declaration }) => declaration.enabled).map((record) => [record.id, record]),
    );
    const closed = [...links.values()]
      .filter(({ record }) => !isSame(enabled.get(record.id), record))
      .map((link) => {
        links.delete(link.record.id);
        return link.close();
      });
    for (const record of enabled.values()) {
      if (links.has(record.id)) continue;
      links.set(
        record.id,
        createServerLink(
          record,
          (each, listener) => connectServer(each, deps, listener),
          deps.waits,
        ),
      );
    }
    return closed;
  };

const cleanUp = async (
  closed: readonly Promise<void>[],
  gone: readonly McpServerRecord[],
  { removeDirectory }: Pick<McpServersDeps, "removeDirectory">,
): Promise<void> => {
  await Promise.all(closed);
  for (const { id } of gone) {
    await removeDirectory(id).catch((error: unknown) => {
      log().error({ err: error }, "the directory of an MCP server could not be removed");
    });
  }
};

const isSame = (stored: McpServerRecord | undefined, { updatedAt }: McpServerRecord): boolean =>
  stored?.updatedAt.getTime() === updatedAt.getTime();

const testServer = async (
  record: McpServerRecord,
  deps: ConnectDeps,
): Promise<McpServerTestResult> => {
  const startedAt = performance.now();
  const finish = (result: Omit<McpServerTestResult, "duration_ms">): McpServerTestResult => ({
    ...result,
    duration_ms: Math.round(performance.now() - startedAt),
  });
  const server = describeServer(record.declaration);
  try {
    const connection = await connectServer(record, deps, {
      signal: AbortSignal.timeout(TEST_TIMEOUT_MS),
      onToolsChanged: doNothing,
      onCommandsChanged: doNothing,
      onClose: doNothing,
    });
    try {
      const { length } = await connection.listTools();
      return finish({ ok: true, message: `${server} has ${length} tools.` });
    } finally {
      await connection.close().catch((error: unknown) => {
        log().warn({ reason: getErrorMessage(error) }, "a tested MCP server was not closed");
      });
    }
  } catch (error) {
    const detail = describeFailure(error);
    return finish({ ok: false, message: `${server} did not answer.`, detail });
  }
};

const doNothing = (): void => undefined;

/** An administrator waits for the answer. */
const TEST_TIMEOUT_MS = 60_000;
