import pg from "pg";
import { decodeText, fromJsonText } from "./nul";

const { builtins, getTypeParser } = pg.types;

const parseAnyTimestamp = getTypeParser(builtins.TIMESTAMPTZ) as (text: string) => Date;

/** The server's time zone is UTC, so nearly all have this form, which Date reads fast. */
const parseTimestamp = (text: string): Date =>
  text.endsWith("+00") && text[4] === "-" && text[10] === " "
    ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
    : parseAnyTimestamp(text);

const PARSERS = new Map<number, (text: string) => unknown>([
  // Counts and sums, far below 2^53.
  [builtins.INT8, Number],
  [builtins.TIMESTAMPTZ, parseTimestamp],
  [builtins.TEXT, decodeText],
  [builtins.VARCHAR, decodeText],
  [builtins.JSON, fromJsonText],
  [builtins.JSONB, fromJsonText],
]);

/** How the values of `Database.query` are read; Prisma brings its own parsers. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid, format): unknown =>
    (format === "binary" ? undefined : PARSERS.get(oid)) ?? getTypeParser(oid, format),
};
