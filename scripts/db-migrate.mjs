// npm run db:migrate: migrates the PostgreSQL database of DATABASE_DIRECT_URL or DATABASE_URL, and creates it if it
// does not exist.
import pg from "pg";
import { createServerConfig, ServerClient } from "../src/server/db/connection/server-client.mjs";
import { applyMigrations } from "../src/server/db/connection/migrate.mjs";
import { loadEnvFile } from "./load-env-file.mjs";

const NO_SUCH_DATABASE = "3D000";
/** Another process created it first: the database exists, or its row of the catalog does. */
const ALREADY_EXISTS = new Set(["42P04", "23505"]);

const connect = async (config) => {
  const client = new ServerClient(config);
  await client.connect();
  return client;
};

const createDatabase = async (config) => {
  const { database } = new ServerClient(config);
  const client = await connect({ ...config, database: "postgres" });
  try {
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
  } catch (error) {
    if (!ALREADY_EXISTS.has(error.code)) throw error;
  } finally {
    await client.end();
  }
};

/** A role may also lack the right to connect to the database that this is done from. */
const explainMissing = (config, error) => {
  const { database, user } = new ServerClient(config);
  const create = `CREATE DATABASE ${pg.escapeIdentifier(database)} OWNER ${pg.escapeIdentifier(user)}`;
  return new Error(
    `The database "${database}" does not exist, and this role cannot create it (${error.message}): ` +
      `run \`${create}\` as a superuser.`,
    { cause: error },
  );
};

const connectOrCreate = async (config) => {
  try {
    return await connect(config);
  } catch (error) {
    if (error.code !== NO_SUCH_DATABASE) throw error;
    await createDatabase(config).catch((reason) => {
      throw explainMissing(config, reason);
    });
    return connect(config);
  }
};

const migrate = async (config) => {
  const client = await connectOrCreate(config);
  try {
    const applied = await applyMigrations({
      exec: (sql) => client.query(sql),
      query: async (sql, values) => (await client.query(sql, values)).rows,
      warn: (sentence) => console.warn(sentence),
    });
    console.log(
      applied.length > 0 ? `Applied ${applied.join(", ")}` : "The database is up to date",
    );
  } finally {
    await client.end();
  }
};

loadEnvFile();
const { DATABASE_URL, DATABASE_DIRECT_URL } = process.env;
if (!DATABASE_URL) {
  console.log("DATABASE_URL is not set: the server migrates the embedded database when it starts.");
} else {
  try {
    const config = createServerConfig(DATABASE_URL, "DATABASE_URL");
    // Migrations hold a lock of their session, which poolers may give to others.
    await migrate(
      DATABASE_DIRECT_URL ? createServerConfig(DATABASE_DIRECT_URL, "DATABASE_DIRECT_URL") : config,
    );
  } catch (error) {
    console.error(`The database could not be migrated: ${error.message || error.code}`);
    process.exitCode = 1;
  }
}
