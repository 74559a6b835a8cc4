import { parseArgs } from "node:util";
import { ROWS } from "./rows.mjs";

const DATABASES = ["postgres", "embedded", "both"];

/** Rows that are not compared with the baseline. */
const OTHERS = ["memory", "insert", "sandbox", "tools", "agents", "calls", "flush", "processes"];

export const USAGE = `npm run bench -- [options]
  --repeat 3          rounds; the table shows medians
  --seconds 5         duration of the loads without a number of turns
  --rows a,b          only these: ${ROWS.map(({ id }) => id).join(", ")}, ${OTHERS.join(", ")}
  --database both     or postgres, embedded
  --profile folder    CPU profiles of Parley's servers, for Chrome's developer tools
  --large             searches, lists and streams with 20,000 chats and 500,000 messages
  --smoke             checks only, in a few seconds, that everything arrives`;

const parsePositive = (name, text) => {
  const value = Number(text);
  if (value > 0) return value;
  throw new Error(`--${name} is ${text}: give a number above 0`);
};

const parseRows = (text) => {
  const known = new Set([...ROWS.map(({ id }) => id), ...OTHERS]);
  const rows = text === undefined ? known : new Set(text.split(","));
  for (const row of rows) if (!known.has(row)) throw new Error(`--rows: there is no ${row}`);
  return rows;
};

/** @throws {Error} with a sentence about the first invalid option */
export const readOptions = (args) => {
  const { values } = parseArgs({
    args,
    options: {
      repeat: { type: "string", default: "3" },
      seconds: { type: "string", default: "5" },
      rows: { type: "string" },
      database: { type: "string", default: "both" },
      profile: { type: "string" },
      large: { type: "boolean", default: false },
      smoke: { type: "boolean", default: false },
    },
  });
  if (!DATABASES.includes(values.database)) {
    throw new Error(`--database is ${values.database}: give one of ${DATABASES.join(", ")}`);
  }
  return {
    repeat: parsePositive("repeat", values.repeat),
    seconds: parsePositive("seconds", values.seconds),
    rows: parseRows(values.rows),
    postgres: values.database !== "embedded",
    embedded: values.database !== "postgres",
    profile: values.profile,
    large: values.large,
    smoke: values.smoke,
  };
};
