import { readFile, readlink } from "node:fs/promises";
import { type ProcessRow, readNumber, sumNumbers } from "./process-table";

/** What the kernel has for a mapping of a process, and for an open file, which may be a pipe, in bytes of 64-bit systems. */
const MAPPING_BYTES = 256;
const DESCRIPTOR_BYTES = 4096;
/** For a connection, without what is sent and not read. */
const CONNECTION_BYTES = 4096;
/** More than any program has: it would take long to add up what each holds, so that they are taken for full. */
const MAX_SOCKETS = 16_384;

/** The mappings that a process can have. Read once, as it does not change while commands run. */
let maxMappings: number | undefined;

/** @returns what the kernel holds for processes at most, from their sizes, which are read quickly. */
export const estimateKernelMemory = (rows: readonly ProcessRow[], page: number): number => {
  maxMappings ??= readNumber("/proc/sys/vm/max_map_count", /^(\d+)/) || 65_530;
  const most = maxMappings;
  return rows.reduce(
    (total, row) =>
      total + Math.min(most, row.mappedBytes / page) * MAPPING_BYTES + readDescriptors(row),
    0,
  );
};

/** @returns what the kernel holds for processes; `stop` ends the reading early when it is reached. */
export const measureKernelMemory = async (
  rows: readonly ProcessRow[],
  stop: number,
): Promise<number> => {
  let total = 0;
  for (const row of rows) {
    if (total > stop) break;
    const mappings = countLines(await readText(`/proc/${row.entry}/maps`));
    total += mappings * MAPPING_BYTES + readDescriptors(row);
  }
  return total;
};

/** The slots for files of a process: at least as many as it has open. */
const readDescriptors = ({ entry }: ProcessRow): number =>
  DESCRIPTOR_BYTES * sumNumbers(`/proc/${entry}/status`, /^FDSize:\s+(\d+)/gm);

/**
 * Measures what is sent and not read in the sockets of processes, which is in no process's memory: also in connections
 * that nobody has accepted, which are no open files.
 *
 * @returns 0 for processes with the network of the host, whose sockets cannot be told from those of others.
 */
export const measureSockets = async (rows: readonly ProcessRow[]): Promise<number> => {
  const host = await readNetwork("self");
  for (const { entry } of rows.toReversed()) {
    const network = await readNetwork(entry);
    if (network !== undefined && network !== host) return measureNetwork(entry);
  }
  return 0;
};

const readNetwork = (entry: number | "self"): Promise<string | undefined> =>
  readlink(`/proc/${entry}/ns/net`).catch(() => undefined);

const measureNetwork = async (entry: number): Promise<number> => {
  // What a socket of the same machine may hold before its sender has to wait; no command can change it.
  const full = readNumber("/proc/sys/net/core/wmem_default", /^(\d+)/);
  const list = (protocol: string) => readText(`/proc/${entry}/net/${protocol}`);
  const local = countLines(await list("unix"));
  const netlink = await list("netlink");
  const internet = await Promise.all(["tcp", "tcp6", "udp", "udp6", "icmp", "icmp6"].map(list));
  const connections = [netlink, ...internet].reduce((total, text) => total + countLines(text), 0);
  if (local + connections > MAX_SOCKETS) return (local + connections) * full;
  const queues = internet.reduce((total, text) => total + sumQueues(text), sumAnswers(netlink));
  return local * full + connections * CONNECTION_BYTES + queues;
};

/** What the kernel has answered and nobody has read: the number after those of the protocol, the port and the groups. */
const sumAnswers = (netlink: string): number =>
  [...netlink.matchAll(/^\S+ +\d+ +\d+ +[\da-f]+ +(\d+)/gm)].reduce(
    (total, [, bytes]) => total + Number(bytes),
    0,
  );

/** What is sent and what is received, in hexadecimal bytes; addresses and times have other lengths. */
const QUEUES = / ([\dA-F]{8}):([\dA-F]{8}) /g;

const sumQueues = (text: string): number =>
  [...text.matchAll(QUEUES)].reduce(
    (total, [, sent = "", received = ""]) =>
      total + Number.parseInt(sent, 16) + Number.parseInt(received, 16),
    0,
  );

const countLines = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
};

const readText = (file: string): Promise<string> => readFile(file, "latin1").catch(() => "");
