// npm run db:new -- <name>: writes the migration from prisma/migrations to prisma/schema.prisma.
// Needs no database server.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const name = (process.argv[2] ?? "").replace(/\W+/g, "_");
if (!name) {
  console.error("usage: npm run db:new -- <name>");
  process.exit(2);
}

// `diff --exit-code`: 0 without differences, 2 with some.
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [
    "node_modules/prisma/build/index.js",
    "migrate",
    "diff",
    "--exit-code",
    "--script",
    "--from-migrations",
    "prisma/migrations",
    "--to-schema",
    "prisma/schema.prisma",
  ],
  {
    cwd: root,
    encoding: "utf8",
    // Always a database in memory, not the one of the settings.
    env: { ...process.env, DATABASE_URL: "postgresql://embedded/memory" },
  },
);
if (status === 0 && stdout.includes("empty migration")) {
  console.log("The migrations are up to date with the schema.");
  process.exit(0);
}
const start = stdout.search(/^-- /m);
if (status !== 2 || start === -1) {
  console.error(stderr + stdout);
  process.exit(1);
}
const now = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
const folder = `prisma/migrations/${now}_${name}`;
mkdirSync(join(root, folder), { recursive: true });
writeFileSync(join(root, folder, "migration.sql"), `${stdout.slice(start).trimEnd()}\n`);
console.log(`${folder}/migration.sql`);
