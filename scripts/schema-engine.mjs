#!/usr/bin/env node
// Replaces Prisma's native schema engine, which Prisma would download: it accepts the same command
// line and JSON-RPC, and runs the same engine as WebAssembly from npm. It is only needed to write
// migrations; the application applies them itself.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const argv = process.argv.slice(2);
if (argv.includes("--version")) {
  console.log("schema-engine-cli wasm");
  process.exit(0);
}

const { checkConnection, createAdapterFactory, createDatabase, dropDatabase } =
  await import("./schema-engine-database.mjs");

const option = (name) => argv.flatMap((arg, i) => (arg === name ? [argv[i + 1]] : []));
const { url } = JSON.parse(option("--datasource")[0] ?? "{}");
const datamodels = option("--datamodels").map((path) => [path, readFileSync(path, "utf8")]);
const EMPTY_SCHEMA = ["schema.prisma", 'datasource db {\n  provider = "postgresql"\n}\n'];
const FAILED = 4466;
const ERROR_CODES = { "3D000": "P1003", P1009: "P1009", ECONNREFUSED: "P1001" };

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const sendError = (id, { message, code, meta }) =>
  send({
    id,
    error: {
      code: FAILED,
      message: "An error happened. Check the data field for details.",
      data: { is_panic: false, message, error_code: code, meta },
    },
  });

const loadEngine = async () => {
  const glue = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const path = createRequire(import.meta.url)
    .resolve("@prisma/schema-engine-wasm/schema_engine_bg")
    .replace(/\.js$/, ".wasm");
  const imports = { "./schema_engine_bg.js": glue };
  const { instance } = await WebAssembly.instantiate(readFileSync(path), imports);
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return glue.SchemaEngine;
};

const getSchemas = (params) => {
  if (datamodels.length > 0) return datamodels;
  const files = [params?.to, params?.from, params?.schema].flatMap((target) => target?.files ?? []);
  return files.length > 0 ? files.map(({ path, content }) => [path, content]) : [EMPTY_SCHEMA];
};

const debug = (line) => {
  if (process.env.DEBUG) process.stderr.write(`${line}\n`);
};

/** An engine loses its shadow database after a migration, so each request gets a new engine. */
const handleRequest = async (SchemaEngine, { id, method, params }) => {
  if (method === "createDatabase") return createDatabase(url);
  const datasource = url ?? "postgresql://embedded/memory";
  const engine = await SchemaEngine.new(
    { datamodels: getSchemas(params) },
    debug,
    createAdapterFactory(datasource),
  );
  // These two need a shadow database that only this request creates.
  if (method === "evaluateDataLoss" || method === "createMigration") {
    await engine.devDiagnostic({
      migrationsList: params.migrationsList,
      filters: params.filters,
    });
  }
  const name = method === "getDatabaseVersion" ? "version" : method;
  const result = await engine[name](params);
  const output = method === "diff" ? result?.stdout : undefined;
  if (typeof output === "string") {
    send({ id: `print-${id}`, method: "print", params: { content: output } });
  }
  engine.free();
  return result ?? {};
};

const serve = async () => {
  const SchemaEngine = await loadEngine();
  let current;
  // A panic of the engine rejects no promise: without a response, the CLI would exit with success.
  globalThis.PRISMA_WASM_PANIC_REGISTRY = {
    set_message: (message) => {
      sendError(current, { message });
      setImmediate(() => process.exit(101));
    },
  };
  for (const event of ["unhandledRejection", "uncaughtException"]) process.on(event, debug);
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    if (!request.method) continue;
    current = request.id;
    try {
      send({ id: request.id, result: await handleRequest(SchemaEngine, request) });
    } catch (error) {
      sendError(request.id, error);
    }
  }
  process.exit(0);
};

const log = (level, fields) =>
  process.stderr.write(`${JSON.stringify({ target: "schema_engine::logger", level, fields })}\n`);

const COMMANDS = {
  "can-connect-to-database": checkConnection,
  "create-database": createDatabase,
  "drop-database": dropDatabase,
};

const runCommand = async (name) => {
  log("INFO", { message: "Starting schema engine CLI" });
  try {
    await COMMANDS[name]?.(url);
  } catch ({ code, message }) {
    const error_code = ERROR_CODES[code] ?? "P1000";
    log("ERROR", { message, is_panic: false, error_code, meta: {} });
    process.exitCode = 1;
  }
};

await (argv.includes("cli") ? runCommand(argv[argv.indexOf("cli") + 1]) : serve());
