// Plain JavaScript, as migrations are applied without a bundler.

/** @typedef {Pick<import("./migrate.mjs").Session, "query">} Session */

const quote = (name) => `"${String(name).replaceAll('"', '""')}"`;

/** The owner of the tables is that of the table of migrations: others in the schema may be of another program. */
const RIGHTS = `SELECT current_user AS role, current_database() AS database, current_schema() AS schema,
  has_database_privilege(current_database(), 'CREATE') AS extends_database,
  coalesce(has_schema_privilege(to_regnamespace('public'), 'CREATE'), true) AS extends_schema,
  (SELECT pg_get_userbyid(relowner) FROM pg_class
    WHERE relname = '_prisma_migrations' AND relnamespace = to_regnamespace('public')) AS owner,
  coalesce((SELECT pg_has_role(relowner, 'USAGE') FROM pg_class
    WHERE relname = '_prisma_migrations' AND relnamespace = to_regnamespace('public')), true) AS is_owner`;

const LACKING = `SELECT relname AS name, need.name AS need FROM pg_class
    CROSS JOIN unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) WITH ORDINALITY AS need (name, place)
  WHERE relnamespace = to_regnamespace('public') AND relkind = 'r' AND NOT has_table_privilege(pg_class.oid, need.name)
    AND relowner = (SELECT relowner FROM pg_class
      WHERE relname = '_prisma_migrations' AND relnamespace = to_regnamespace('public'))
    AND (relname <> '_prisma_migrations' OR need.name = 'SELECT')
  ORDER BY need.place, relname`;
/** Tables that a sentence names. */
const MAX_NAMES = 3;

const joinWords = new Intl.ListFormat("en", { type: "conjunction", style: "long" });
/** Without the comma before the last one, as in the other texts. */
const join = (words) => joinWords.format(words).replace(/, and /, " and ");

/**
 * Requires that tables without a schema are those of Parley, as Prisma names the schema and others do not.
 *
 * @param {Session} session
 * @throws {Error} a sentence for operators
 */
export const requireSchema = async (session) => {
  const [{ role, schema }] = await session.query(RIGHTS);
  if (schema === "public") return;
  throw new Error(
    schema === null
      ? `The role ${quote(role)} may not use the schema "public", where the tables are: run ` +
          `\`GRANT USAGE ON SCHEMA public TO ${quote(role)}\` as a superuser, and set its search_path to public.`
      : `The role ${quote(role)} finds tables in the schema ${quote(schema)} first, but those of Parley are in ` +
          `"public": run \`ALTER ROLE ${quote(role)} SET search_path = public\`.`,
  );
};

/**
 * Requires the rights of a process that runs.
 *
 * @param {Session} session
 * @throws {Error} a sentence for operators
 */
export const requireRights = async (session) => {
  await requireSchema(session);
  const rows = await session.query(LACKING);
  if (rows.length === 0) return;
  const [{ role, owner }] = await session.query(RIGHTS);
  const needs = [...new Set(rows.map(({ need }) => need))];
  const names = [...new Set(rows.map(({ name }) => quote(name)))];
  const shown = names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), "others"] : names;
  throw new Error(
    `The role ${quote(role)} lacks ${join(needs)} on ${join(shown)}: run ` +
      `\`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${quote(role)}\` as their owner, ` +
      `${quote(owner)}, or connect as this role.`,
  );
};

const DENIED = "42501";

const isDenied = (error) =>
  error instanceof Error && ("code" in error ? error.code === DENIED : isDenied(error.cause));

/**
 * Finds the right that a migration lacks.
 *
 * @param {Session} session
 * @param {unknown} error
 * @returns {Promise<unknown>} the error to throw
 */
export const explainDenial = async (session, error) => {
  if (!isDenied(error)) return error;
  const [row] = await session.query(RIGHTS);
  return new Error(`${error.message}: ${findRemedy(row)}.`, { cause: error });
};

const findRemedy = (row) => {
  const [role, owner] = [quote(row.role), quote(row.owner)];
  if (!row.is_owner) return `migrate as ${owner}, which owns the tables`;
  const grants = [
    ...(row.extends_database ? [] : [`GRANT CREATE ON DATABASE ${quote(row.database)} TO ${role}`]),
    ...(row.extends_schema ? [] : [`GRANT USAGE, CREATE ON SCHEMA public TO ${role}`]),
  ];
  return grants.length > 0
    ? `run \`${grants.join("; ")}\` as a superuser, or make the role the owner of the database`
    : "make the role the owner of the database and of all that is in it";
};
