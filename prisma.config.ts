import path from "node:path";
import { defineConfig } from "prisma/config";

// Before every command, even `generate`, Prisma downloads a native schema engine, which fails
// without a network. An existing file in this variable replaces it; ours drives the WASM build
// of the same engine, so that migrations can be written offline too.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.join(
  import.meta.dirname,
  "scripts/schema-engine.mjs",
);
process.env.CHECKPOINT_DISABLE ??= "1";

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  // The host `embedded` tells the schema engine to work on an in-memory database.
  datasource: { url: process.env.DATABASE_URL ?? "postgresql://embedded/memory" },
});
