import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { TREE_VARIABLE } from "./plain-process";
import { readProcessTable, type ProcessRow } from "./process-table";
import type { Launch } from "./sandbox";

/** All processes that a launch has started. */
export type ProcessTree = {
  /** Those that are alive now. */
  list: () => ProcessRow[];
  /**
   * Ends all of them, also those that left their parent or their session. Never rejects.
   *
   * @returns whether none is left; the kernel can hold a process that waits for a device.
   */
  end: () => Promise<boolean>;
};

const END_POLL_MS = 10;
const END_TIMEOUT_MS = 5_000;
/** A process begins a program within this time: one without variables that has none then is not of the tree. */
const MAX_BEGIN_MS = 200;

/** @param pid the process that was started by the launch. */
export const createProcessTree = (
  pid: number,
  { env, isolated }: Pick<Launch, "env" | "isolated">,
): ProcessTree => {
  const mark = env[TREE_VARIABLE];
  /** Starts of the members, by their numbers. */
  let members = new Map<number, number>();
  let strangers = new Map<number, number>();
  let startedAt: number | undefined;
  /** Whether a process that started since may still turn out to be a member. */
  let isUnclear = false;

  /** It leads a session, which it may leave before a process that it has just started was seen. */
  const isInSession = (row: ProcessRow): boolean =>
    row.session === pid && startedAt !== undefined && row.startedAt >= startedAt;

  const list = (): ProcessRow[] => {
    const table = readProcessTable();
    const root = table.get(pid);
    const isFirst = members.size === 0 && strangers.size === 0;
    if (isFirst && root) {
      members.set(pid, root.startedAt);
      startedAt = root.startedAt;
    }
    const rows = [...table.values()];
    const known = rows.filter((row) => members.get(row.pid) === row.startedAt || isInSession(row));
    const others = rows.filter((row) => strangers.get(row.pid) !== row.startedAt);
    const { marked, unclear } = findMarked(others, mark);
    isUnclear = [...unclear].some((row) => row.startedAt >= (startedAt ?? 0));
    const found = collectRelatives(rows, [...known, ...marked], table.get(process.pid)?.session);
    members = new Map(found.map((row) => [row.pid, row.startedAt]));
    strangers = new Map(
      rows
        .filter((row) => !members.has(row.pid) && !unclear.has(row))
        .map((row) => [row.pid, row.startedAt]),
    );
    return found.filter((row) => !row.isZombie);
  };

  /** Outside of a sandbox, what is stopped starts no further process while the others are looked for. */
  const stopAll = (deadline: number): void => {
    const stopped = new Set<number>();
    for (;;) {
      const running = list().filter((row) => !stopped.has(row.pid));
      if (running.length === 0 || performance.now() > deadline) return;
      for (const row of running) {
        sendSignal(row.pid, "SIGSTOP");
        stopped.add(row.pid);
      }
    }
  };

  const end = async (): Promise<boolean> => {
    const now = performance.now();
    const deadline = now + END_TIMEOUT_MS;
    for (;;) {
      if (!isolated) stopAll(deadline);
      const rows = list();
      const isWaiting = isUnclear && performance.now() < now + MAX_BEGIN_MS;
      if (rows.length === 0 && !isWaiting) return true;
      if (performance.now() > deadline) return false;
      // The first one would write about the end of the others, if it saw that.
      const first = rows.filter((row) => row.pid === pid);
      for (const row of [...first, ...rows]) sendSignal(row.pid, "SIGKILL");
      await delay(END_POLL_MS);
    }
  };

  return { list, end };
};

/** Adds the descendants, and what shares a session with a member, but never the server's session. */
const collectRelatives = (
  rows: ProcessRow[],
  members: ProcessRow[],
  ownSession: number | undefined,
): ProcessRow[] => {
  const found = new Set(members);
  for (let size = -1; size !== found.size;) {
    size = found.size;
    const pids = new Set([...found].map((row) => row.pid));
    const sessions = new Set([...found].map((row) => row.session));
    if (ownSession !== undefined) sessions.delete(ownSession);
    for (const row of rows) {
      if (pids.has(row.parent) || sessions.has(row.session)) found.add(row);
    }
  }
  return [...found];
};

/** Finds the processes with the variable of the tree, and those that may still get it. */
const findMarked = (rows: readonly ProcessRow[], mark: string | undefined) => {
  const marked: ProcessRow[] = [];
  const unclear = new Set<ProcessRow>();
  for (const row of mark === undefined ? [] : rows) {
    // A thread of the kernel.
    if (row.mappedBytes === 0) continue;
    const variables = readVariables(row.entry);
    if (variables?.split("\0").includes(`${TREE_VARIABLE}=${mark}`)) marked.push(row);
    else if (variables === "") unclear.add(row);
  }
  return { marked, unclear };
};

/** @returns nothing of a process without any, and of one that is about to begin another program. */
const readVariables = (entry: number): string | undefined => {
  try {
    return readFileSync(`/proc/${entry}/environ`, "latin1");
  } catch {
    // It has ended, or is of another account.
    return undefined;
  }
};

const sendSignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile, or became another account's.
  }
};
