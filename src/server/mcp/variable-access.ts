import { MCP_VARIABLE, type McpDeclaration } from "@/contract/mcp-server";
import type { McpServerRecord } from "./server-record";

type Transport = McpDeclaration["transport"];

/** A server with variables of the environment that was stored before they were bound to hosts. */
type RecordedUse = {
  id: string;
  transport: Transport;
  updatedAt: Date;
};

/** Variables of the environment that servers may get, and which of them. */
export type McpVariables = {
  values: Readonly<Record<string, string>>;
  /** By the names of variables: origins, and `PROGRAM`. */
  destinations: Readonly<Partial<Record<string, readonly string[]>>>;
  recordedUses: readonly RecordedUse[];
};

/** Stands among the hosts for programs, which may send what they get anywhere. */
const PROGRAM = "program";

type Asking = Pick<McpServerRecord, "id" | "updatedAt"> & { transport: Transport };

/**
 * Returns the value of a variable for a server, if the operator lets it go there: who may declare servers may not choose
 * where secrets of the environment go (ADR 0122).
 *
 * @throws {Error} a sentence, for a variable that is not set or may not go there.
 */
export const readVariable = (
  name: string,
  server: Asking,
  { values, destinations, recordedUses }: McpVariables,
): string => {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) {
    throw new Error(
      `The variable ${name} is not set: set it where this server runs, and start the server again.`,
    );
  }
  const destination = findDestination(server.transport);
  const allowed = Object.hasOwn(destinations, name) ? destinations[name] : undefined;
  const isAllowed = allowed
    ? allowed.includes(destination)
    : recordedUses.some((use) => covers(use, name, server));
  if (isAllowed) return value;
  const place = destination === PROGRAM ? "a program" : destination;
  throw new Error(
    `The variable ${name} may not be sent to ${place}: to allow it, add ${toEntry(destination)} to ${name}_HOSTS where this server runs, and start the server again.`,
  );
};

const findDestination = (transport: Transport): string =>
  transport.type === "http" ? new URL(transport.url).origin : PROGRAM;

/** As an operator writes it. */
const toEntry = (destination: string): string => destination.replace(/^https:\/\//, "");

/**
 * Whether a server used a variable already, for the same destination. A program is the same only while nothing of its record
 * was changed: its variables, and files that another program has left in its directory, decide what it does.
 */
const covers = (use: RecordedUse, name: string, { id, transport, updatedAt }: Asking): boolean =>
  use.id === id &&
  listVariables(use.transport).has(name) &&
  findDestination(use.transport) === findDestination(transport) &&
  (transport.type === "http" || use.updatedAt.getTime() === updatedAt.getTime());

const listVariables = (transport: Transport): Set<string> => {
  const values = transport.type === "http" ? transport.headers : transport.env;
  const found = Object.values(values).flatMap((value) => [...value.matchAll(MCP_VARIABLE)]);
  return new Set(found.map(([, name = ""]) => name));
};
