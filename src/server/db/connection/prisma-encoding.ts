import type {
  ArgType,
  ColumnTypeEnum,
  SqlQuery,
  SqlQueryable,
  SqlResultSet,
} from "@prisma/driver-adapter-utils";
import { decodeJsonText, decodeText, encodeJsonText, encodeValue } from "./nul";

/** Makes Prisma's queries store every text, as those of `Database.query` do; see nul.ts. */
export const encodeQueries = <Adapter extends SqlQueryable>(adapter: Adapter): Adapter => {
  const queryRaw = adapter.queryRaw.bind(adapter);
  const executeRaw = adapter.executeRaw.bind(adapter);
  return Object.assign(adapter, {
    queryRaw: async (query: SqlQuery) => decodeRows(await queryRaw(encodeArguments(query))),
    executeRaw: (query: SqlQuery) => executeRaw(encodeArguments(query)),
  });
};

const encodeArguments = (query: SqlQuery): SqlQuery => ({
  ...query,
  args: query.args.map((value, index) => encodeArgument(value, query.argTypes[index])),
});

/** JSON comes as text, and is the only text in which a NUL character is written as an escape. */
const encodeArgument = (value: unknown, type: ArgType | undefined): unknown => {
  if (type?.scalarType !== "json") return encodeValue(value);
  if (typeof value === "string") return encodeJsonText(value);
  return Array.isArray(value) ? value.map((item) => encodeArgument(item, type)) : value;
};

// The types check these numbers; the package itself is needed for its types only.
const TEXT: typeof ColumnTypeEnum.Text = 7;
const JSON_TEXT: typeof ColumnTypeEnum.Json = 11;

const decodeRows = (result: SqlResultSet): SqlResultSet => {
  result.columnTypes.forEach((type, column) => {
    if (type !== TEXT && type !== JSON_TEXT) return;
    const decode = type === TEXT ? decodeText : decodeJsonText;
    for (const row of result.rows) {
      const value = row[column];
      if (typeof value === "string") row[column] = decode(value);
    }
  });
  return result;
};
