#!/usr/bin/env node
// JSON-RPC (line delimited, stdio) front for @prisma/schema-engine-wasm, so that the
// Prisma CLI needs no native schema engine. Set PRISMA_SCHEMA_ENGINE_BINARY to this file.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import readline from "node:readline";
const require = createRequire(import.meta.url);
const argv = process.argv.slice(2);
if (argv.includes("--version")) {
  console.log("schema-engine-cli wasm-shim");
  process.exit(0);
}
const opt = (n) => argv.flatMap((a, i) => (a === n ? [argv[i + 1]] : []));
const datasource = JSON.parse(opt("--datasource")[0] ?? "{}");
const datamodels = opt("--datamodels").map((p) => [p, readFileSync(p, "utf8")]);

let pending = null;
globalThis.PRISMA_WASM_PANIC_REGISTRY = {
  set_message(m) {
    // a Rust panic: answer the pending call, or the CLI would end quietly with status 0
    if (pending !== null)
      process.stdout.write(
        JSON.stringify({
          jsonrpc: "2.0",
          id: pending,
          error: { code: 4466, message: m, data: { is_panic: false, message: m } },
        }) + "\n",
      );
    setImmediate(() => process.exit(101));
  },
};
process.on("unhandledRejection", () => {});
process.on("uncaughtException", () => {});
const glue = await import("@prisma/schema-engine-wasm/schema_engine_bg");
const wasmPath = new URL(
  "./schema_engine_bg.wasm",
  "file://" + require.resolve("@prisma/schema-engine-wasm/schema_engine_bg"),
);
const { instance } = await WebAssembly.instantiate(readFileSync(wasmPath), {
  "./schema_engine_bg.js": glue,
});
glue.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

const { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } =
  await import("@prisma/driver-adapter-utils");
const { PrismaPg } = await import("@prisma/adapter-pg");
const pg = (await import("pg")).default;

// adapter-pg has no column type for the system type "char" (oid 18); the engine wants a Character there.
let charColumns = [];
const addFields = pg.Result.prototype.addFields;
pg.Result.prototype.addFields = function (fields) {
  charColumns = fields.flatMap((f, i) => (f.dataTypeID === 18 ? [i] : []));
  for (const i of charColumns) fields[i].dataTypeID = 25;
  return addFields.call(this, fields);
};
function withChar(a) {
  const raw = a.queryRaw.bind(a);
  a.queryRaw = async (q) => {
    charColumns = [];
    const r = await raw(q);
    for (const i of charColumns) r.columnTypes[i] = ColumnTypeEnum.Character;
    return r;
  };
  if (a.startTransaction) {
    const start = a.startTransaction.bind(a);
    a.startTransaction = async (...x) => withChar(await start(...x));
  }
  return a;
}
const url = datasource.url;
// Not connectionString: adapter-pg's connectToShadowDb() does {...config, database}, and pg lets the
// connection string win over "database", so the shadow database would be the REAL database.
const u = new URL(url ?? "postgresql://x@127.0.0.1:1/none");
const config = {
  host: decodeURIComponent(u.hostname),
  port: Number(u.port || 5432),
  user: decodeURIComponent(u.username),
  password: decodeURIComponent(u.password),
  database: decodeURIComponent(u.pathname.slice(1)),
};
const embedded = u.hostname === "embedded"; // no server: every connection is a fresh in-memory PGlite
async function memory() {
  const { PGlite } = await import("@electric-sql/pglite");
  const { createPgConfig } = await import("@electric-sql/pglite/node-postgres");
  const lite = await PGlite.create();
  const cfg = createPgConfig(lite);
  const parse = cfg.connection.parse.bind(cfg.connection);
  cfg.connection.parse = (q) => parse(Array.isArray(q.types) ? q : { ...q, types: [] });
  const pool = new pg.Pool({ ...cfg, max: 1, idleTimeoutMillis: 0 });
  const a = withChar(await new PrismaPg(pool).connect());
  a.dispose = async () => {
    await pool.end();
    await lite.close();
  };
  return a;
}
class Factory extends PrismaPg {
  async connect() {
    return embedded ? memory() : withChar(await super.connect());
  }
  // the stock one drops the shadow database before it closes its own pool, which PostgreSQL refuses
  async connectToShadowDb() {
    if (embedded) return memory();
    const database = "prisma_migrate_shadow_db_" + crypto.randomUUID();
    await admin((c) => c.query("CREATE DATABASE " + quote(database)));
    const a = withChar(await new PrismaPg({ ...config, database }).connect());
    const end = a.dispose.bind(a);
    a.dispose = async () => {
      await end();
      await admin((c) => c.query("DROP DATABASE IF EXISTS " + quote(database)));
    };
    return a;
  }
}
const factory = () => bindMigrationAwareSqlAdapterFactory(new Factory(config));
async function admin(fn) {
  const u = new URL(url);
  const db = decodeURIComponent(u.pathname.slice(1));
  u.pathname = "/postgres";
  const c = new pg.Client({ connectionString: u.toString() });
  await c.connect();
  try {
    return await fn(c, db);
  } finally {
    await c.end();
  }
}
const quote = (s) => '"' + s.replaceAll('"', '""') + '"';
async function createDatabase() {
  return admin(async (c, db) => {
    try {
      await c.query("CREATE DATABASE " + quote(db));
    } catch (e) {
      if (e.code !== "42P04") throw e;
      const err = new Error(`Database \`${db}\` already exists`);
      err.code = "P1009";
      throw err;
    }
    return { databaseName: db };
  });
}
if (argv.includes("cli")) {
  const cmd = argv[argv.indexOf("cli") + 1];
  const line = (o) =>
    process.stderr.write(JSON.stringify({ target: "schema_engine::logger", ...o }) + "\n");
  const fail = (error_code, message) => {
    line({ level: "ERROR", fields: { message, is_panic: false, error_code, meta: {} } });
    process.exitCode = 1;
  };
  line({ level: "INFO", fields: { message: "Starting schema engine CLI" } });
  try {
    if (cmd === "can-connect-to-database") {
      const c = new pg.Client({ connectionString: url });
      await c.connect();
      await c.end();
    } else if (cmd === "create-database") await createDatabase();
    else if (cmd === "drop-database")
      await admin((c, db) => c.query("DROP DATABASE IF EXISTS " + quote(db)));
  } catch (e) {
    fail(
      e.code === "3D000"
        ? "P1003"
        : e.code === "P1009"
          ? "P1009"
          : e.code === "ECONNREFUSED"
            ? "P1001"
            : "P1000",
      e.message,
    );
  }
}

const log = (l) => {
  if (process.env.DEBUG) process.stderr.write(l + "\n");
};
const get = async (p) => {
  const files = [p?.to, p?.from, p?.schema].flatMap((t) => t?.files ?? []);
  const models = datamodels.length
    ? datamodels
    : files.length
      ? files.map((f) => [f.path, f.content])
      : [["schema.prisma", 'datasource db {\n  provider = "postgresql"\n}\n']];
  return glue.SchemaEngine.new({ datamodels: models }, log, factory()); // a new one per call: after applyMigrations an old one has lost its shadow factory
};
const rename = { getDatabaseVersion: "version" };
let chain = Promise.resolve();
if (!argv.includes("cli")) {
  const rl = readline.createInterface({ input: process.stdin });
  rl.on("line", (line) => {
    chain = chain.then(() => handle(JSON.parse(line)));
  });
  rl.on("close", () => chain.finally(() => process.exit(0)));
}
async function handle({ id, method, params }) {
  if (!method) return;
  pending = id;
  const out = (o) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...o }) + "\n");
  try {
    if (method === "createDatabase") return out({ result: await createDatabase() });
    const e = await get(params);
    // on a fresh engine these two find no shadow factory; devDiagnostic computes and caches what they need
    if (method === "evaluateDataLoss" || method === "createMigration")
      await e.devDiagnostic({ migrationsList: params.migrationsList, filters: params.filters });
    let result = await e[rename[method] ?? method](params);
    if (method === "diff" && result?.stdout != null) {
      process.stdout.write(
        JSON.stringify({
          jsonrpc: "2.0",
          id: "p" + id,
          method: "print",
          params: { content: result.stdout },
        }) + "\n",
      );
    }
    e.free();
    out({ result: result ?? {} });
  } catch (err) {
    const m = err?.message ?? String(err);
    out({
      error: {
        code: 4466,
        message: "An error happened. Check the data field for details.",
        data: { is_panic: false, message: m, error_code: err?.code, meta: err?.meta },
      },
    });
  }
}
