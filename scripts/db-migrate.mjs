// npm run db:migrate: migrates the PostgreSQL database of DATABASE_DIRECT_URL or DATABASE_URL, and creates it if it
// does not exist.
import pg from "pg";
import { applyMigrations } from "../src/server/db/connection/migrate.mjs";
import { loadEnvFile } from "./load-env-file.mjs";

const NO_SUCH_DATABASE = "3D000";
/** Another process created it first: the database exists, or its row of the catalog does. */
const ALREADY_EXISTS = new Set(["42P04", "23505"]);

const connect = async (connectionString) => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
};

const createDatabase = async (connectionString) => {
  const maintenance = new URL(connectionString);
  const name = decodeURIComponent(maintenance.pathname.slice(1));
  maintenance.pathname = "/postgres";
  const client = await connect(maintenance.toString());
  try {
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  } catch (error) {
    if (!ALREADY_EXISTS.has(error.code)) throw error;
  } finally {
    await client.end();
  }
};

const connectOrCreate = async (connectionString) => {
  try {
    return await connect(connectionString);
  } catch (error) {
    if (error.code !== NO_SUCH_DATABASE) throw error;
    await createDatabase(connectionString);
    return connect(connectionString);
  }
};

const migrate = async (connectionString) => {
  const client = await connectOrCreate(connectionString);
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
    // Migrations hold a lock of their session, which poolers may give to others.
    await migrate(DATABASE_DIRECT_URL || DATABASE_URL);
  } catch (error) {
    console.error(`The database could not be migrated: ${error.message || error.code}`);
    process.exitCode = 1;
  }
}
