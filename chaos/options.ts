import { parseArgs } from "node:util";
import { type FaultName, FAULTS, listFaults } from "./faults";

type DatabaseName = "embedded" | "postgres";

export type RunOptions = {
  rounds: number;
  seed: number;
  databases: DatabaseName[];
  faults: Record<DatabaseName, FaultName[]>;
};

const MAX_SEED = 1_000_000;

export const USAGE = `npm run chaos -- [options]
  --rounds 50         rounds on each database; one fault strikes in each
  --database both     or embedded, postgres
  --fault a,b         only these: ${Object.keys(FAULTS).join(", ")}
  --seed 1            random choices of an earlier run`;

/** @throws {Error} with a sentence about the first invalid option. */
export const readOptions = (args: string[]): RunOptions => {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: "string", default: "50" },
      database: { type: "string", default: "both" },
      fault: { type: "string" },
      seed: { type: "string", default: String(Date.now() % MAX_SEED) },
    },
  });
  const databases = readDatabases(values.database);
  const faults = {
    embedded: readFaults("embedded", values.fault),
    postgres: readFaults("postgres", values.fault),
  };
  const used = databases.filter((database) => faults[database].length > 0);
  if (used.length === 0) {
    throw new Error(`--fault: ${values.fault} cannot happen to this database`);
  }
  return {
    rounds: readNumber("rounds", values.rounds, 1),
    seed: readNumber("seed", values.seed, 0),
    databases: used,
    faults,
  };
};

const readDatabases = (text: string): DatabaseName[] => {
  if (text === "both") return ["embedded", "postgres"];
  if (text === "embedded" || text === "postgres") return [text];
  throw new Error(`--database is ${text}: give one of both, embedded, postgres`);
};

const readFaults = (database: DatabaseName, text: string | undefined): FaultName[] => {
  const possible = listFaults(database);
  if (text === undefined) return possible;
  const names = text.split(",");
  const unknown = names.find((name) => !(name in FAULTS));
  if (unknown !== undefined) throw new Error(`--fault: there is no ${unknown}`);
  return possible.filter((name) => names.includes(name));
};

const readNumber = (name: string, text: string, min: number): number => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min) return value;
  throw new Error(`--${name} is ${text}: give a whole number from ${min}`);
};
