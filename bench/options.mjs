import { parseArgs } from "node:util";
import { ROWS } from "./rows.mjs";

const DATABASES = ["postgres", "embedded", "both"];

export const USAGE = `npm run bench -- [options]
  --repeat 3          rounds; the table shows medians
  --seconds 5         length of the loads that have no number of turns
  --rows a,b          only these: ${ROWS.map(({ id }) => id).join(", ")}, memory
  --database both     or postgres, embedded
  --profile folder    CPU profiles of Parley's servers, for Chrome's developer tools
  --smoke             a few seconds: only whether everything arrives`;

const positive = (name, text) => {
  const value = Number(text);
  if (value > 0) return value;
  throw new Error(`--${name} is ${text}: give a number above 0`);
};

const knownRows = (text) => {
  const known = new Set([...ROWS.map(({ id }) => id), "memory"]);
  const rows = text === undefined ? known : new Set(text.split(","));
  for (const row of rows) if (!known.has(row)) throw new Error(`--rows: there is no ${row}`);
  return rows;
};

/** @throws {Error} a sentence about the first option that is wrong */
export const readOptions = (args) => {
  const { values } = parseArgs({
    args,
    options: {
      repeat: { type: "string", default: "3" },
      seconds: { type: "string", default: "5" },
      rows: { type: "string" },
      database: { type: "string", default: "both" },
      profile: { type: "string" },
      smoke: { type: "boolean", default: false },
    },
  });
  if (!DATABASES.includes(values.database)) {
    throw new Error(`--database is ${values.database}: give one of ${DATABASES.join(", ")}`);
  }
  return {
    repeat: positive("repeat", values.repeat),
    seconds: positive("seconds", values.seconds),
    rows: knownRows(values.rows),
    postgres: values.database !== "embedded",
    embedded: values.database !== "postgres",
    profile: values.profile,
    smoke: values.smoke,
  };
};
