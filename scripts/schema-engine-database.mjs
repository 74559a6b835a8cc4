import { PGlite } from "@electric-sql/pglite";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import pg from "pg";
import { createServerConfig, ServerClient } from "../src/server/db/connection/server-client.mjs";

const CHAR_OID = 18;
const TEXT_OID = 25;

const quoteIdentifier = (name) => pg.escapeIdentifier(name);

/**
 * Adds PostgreSQL's internal type "char", which the adapter does not support. The engine reads such
 * columns of the catalog and expects single characters.
 */
const addCharType = (adapter) => {
  const { addFields } = pg.Result.prototype;
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    let charColumns = [];
    pg.Result.prototype.addFields = function (fields) {
      charColumns = fields.flatMap((field, i) => (field.dataTypeID === CHAR_OID ? [i] : []));
      for (const i of charColumns) fields[i].dataTypeID = TEXT_OID;
      return addFields.call(this, fields);
    };
    const result = await queryRaw(query);
    for (const i of charColumns) result.columnTypes[i] = ColumnTypeEnum.Character;
    return result;
  };
  const startTransaction = adapter.startTransaction?.bind(adapter);
  if (startTransaction) {
    adapter.startTransaction = async (...args) => addCharType(await startTransaction(...args));
  }
  return adapter;
};

/** Connects to a new database in memory, for use without a server. */
const connectToMemory = async () => {
  const lite = await PGlite.create({ extensions: { btree_gin, pg_trgm } });
  const config = createPgConfig(lite);
  const parse = config.connection.parse.bind(config.connection);
  config.connection.parse = (query) =>
    parse(Array.isArray(query.types) ? query : { ...query, types: [] });
  const pool = new pg.Pool({ ...config, max: 1, idleTimeoutMillis: 0 });
  const adapter = addCharType(await new PrismaPg(pool).connect());
  adapter.dispose = async () => {
    await pool.end();
    await lite.close();
  };
  return adapter;
};

/** Runs the body with a client of the server's maintenance database. */
const withMaintenanceClient = async (url, body) => {
  const client = new ServerClient({ ...toServerConfig(url), database: "postgres" });
  await client.connect();
  try {
    return await body(client);
  } finally {
    await client.end();
  }
};

const getDatabaseName = (url) => new ServerClient(toServerConfig(url)).database;

/** @throws {Error} with code P1009 when the database exists. */
export const createDatabase = (url) =>
  withMaintenanceClient(url, async (client) => {
    const name = getDatabaseName(url);
    try {
      await client.query(`CREATE DATABASE ${quoteIdentifier(name)}`);
    } catch (error) {
      if (error.code !== "42P04") throw error;
      throw Object.assign(new Error(`Database \`${name}\` already exists`), { code: "P1009" });
    }
    return { databaseName: name };
  });

export const dropDatabase = (url) =>
  withMaintenanceClient(url, (client) =>
    client.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(getDatabaseName(url))}`),
  );

export const checkConnection = async (url) => {
  const client = new ServerClient(toServerConfig(url));
  await client.connect();
  await client.end();
};

const toServerConfig = (url) => createServerConfig(url, "DATABASE_URL");

const connectToServer = async (config) => addCharType(await new PrismaPg(config).connect());

/** The adapter's own `dispose` drops the shadow database before it closes its pool, which fails. */
const connectToShadow = async (url) => {
  const database = `prisma_migrate_shadow_db_${crypto.randomUUID()}`;
  await withMaintenanceClient(url, (client) =>
    client.query(`CREATE DATABASE ${quoteIdentifier(database)}`),
  );
  const adapter = await connectToServer({ ...toServerConfig(url), database });
  const dispose = adapter.dispose.bind(adapter);
  adapter.dispose = async () => {
    await dispose();
    await withMaintenanceClient(url, (client) =>
      client.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(database)}`),
    );
  };
  return adapter;
};

/**
 * Creates the engine's adapters.
 *
 * @param url of a server's database; the host `embedded` stands for a database in memory.
 */
export const createAdapterFactory = (url) => {
  const isEmbedded = toServerConfig(url).host === "embedded";
  return bindMigrationAwareSqlAdapterFactory({
    provider: "postgres",
    adapterName: "@prisma/adapter-pg",
    connect: () => (isEmbedded ? connectToMemory() : connectToServer(toServerConfig(url))),
    connectToShadowDb: () => (isEmbedded ? connectToMemory() : connectToShadow(url)),
  });
};
