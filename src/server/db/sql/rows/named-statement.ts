import type { Queryable, Statement } from "@/server/db/connection/database";

/** A statement whose values have names: `$chatId` in its text is the value `chatId`. */
export type NamedStatement<Values extends object> = {
  statement: Statement;
  /** In the order of `$1`, `$2`, …. */
  names: readonly (keyof Values & string)[];
};

/** Numbers the placeholders of a statement; a name may stand in the text any number of times. */
export const nameValues = <Values extends object>(statement: Statement): NamedStatement<Values> => {
  const names: (keyof Values & string)[] = [];
  const text = statement.text.replaceAll(/\$([a-z]\w*)/gi, (_, name: keyof Values & string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  // A lease token fences a statement: it finds no row once it has been carried out or the lease was lost.
  const isFenced = names.some((name) => name === "leaseToken" || name === "leaseTokens");
  return { statement: { ...statement, text, isFenced }, names };
};

/** Runs a statement with its values. */
export const runNamed = <Row, Values extends object>(
  db: Queryable,
  { statement, names }: NamedStatement<Values>,
  values: Values,
): Promise<Row[]> =>
  db.query<Row>(
    statement,
    names.map((name) => values[name]),
  );
