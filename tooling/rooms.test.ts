import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** Valid files, and one violation for each rule. */
const FILES: Record<string, string> = {
  "src/lib/pure.ts": "export const pure = 1;",
  "src/contract/shape.ts": 'import { pure } from "@/lib/pure"; export const shape = pure;',
  "src/contract/imports-server.ts":
    'import { row } from "@/server/db/chat-reads"; export const x = row;',
  "src/server/db/chat-reads.ts":
    'import { Pool } from "pg"; import { shape } from "@/contract/shape"; export const row = [Pool, shape];',
  "src/server/db/chat-writes.ts": "export const write = 1;",
  "src/server/turn/send.ts":
    'import { write } from "@/server/db/chat-writes"; import type { LanguageModelV4 } from "@ai-sdk/provider"; export const send: [number, LanguageModelV4?] = [write];',
  "src/server/chat/uses-provider.ts":
    'import { createOpenAI } from "@ai-sdk/openai"; export const x = createOpenAI;',
  "src/server/tools/queries.ts": 'import { Pool } from "pg"; export const x = Pool;',
  "src/server/tools/imports-turn.ts":
    'import { send } from "@/server/turn/send"; export const x = send;',
  "src/server/api/router.ts":
    'import { row } from "@/server/db/chat-reads"; export const router = row; export type Router = typeof router;',
  "src/server/api/writes.ts":
    'import { write } from "@/server/db/chat-writes"; export const x = write;',
  "src/client/trpc.ts":
    'import type { Router } from "@/server/api/router"; export type R = Router;',
  "src/client/runs-server.ts":
    'import { router } from "@/server/api/router"; export const x = router;',
  "src/client/imports-writes.ts":
    'import type { write } from "@/server/db/chat-writes"; export type X = typeof write;',
  "src/components/ui/button.tsx": "export const Button = 1;",
  "src/components/ui/imports-trpc.tsx":
    'import type { R } from "@/client/trpc"; export type X = R;',
  "src/lib/cycle-a.ts": 'import { b } from "./cycle-b"; export const a = (): unknown => b;',
  "src/lib/cycle-b.ts": 'import { a } from "./cycle-a"; export const b = (): unknown => a;',
  "src/lib/type-cycle-a.ts": 'import type { B } from "./type-cycle-b"; export type A = { b?: B };',
  "src/lib/type-cycle-b.ts": 'import type { A } from "./type-cycle-a"; export type B = { a?: A };',
  "src/lib/nowhere.ts": 'import { x } from "./gone"; export const y = x;',
  "src/lib/uses-test-help.ts": 'import { help } from "@/test/help"; export const x = help;',
  "src/lib/pure.test.ts": 'import { help } from "@/test/help"; export const x = help;',
  "src/test/help.ts": 'import { write } from "@/server/db/chat-writes"; export const help = write;',
  "src/stray/file.ts": 'import { pure } from "@/lib/pure"; export const x = pure;',
};

const EXPECTED = [
  "browser-knows-types-only: src/client/runs-server.ts",
  "no-cycles: src/lib/cycle-a.ts",
  "no-cycles: src/lib/type-cycle-a.ts",
  "providers-stay-in-model: src/server/chat/uses-provider.ts",
  "database-stays-in-db: src/server/tools/queries.ts",
  "resolvable: src/lib/nowhere.ts",
  "room:client: src/client/imports-writes.ts",
  "room:components/ui: src/components/ui/imports-trpc.tsx",
  "room:contract: src/contract/imports-server.ts",
  "room:lib: src/lib/uses-test-help.ts",
  "room:server/tools: src/server/tools/imports-turn.ts",
  "test-help-is-for-tests: src/lib/uses-test-help.ts",
  "unlisted-room: src/stray/file.ts",
  "writes-go-through-a-verb: src/server/api/writes.ts",
];

type Report = { summary: { violations: { from: string; rule: { name: string } }[] } };

let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "parley-rooms-"));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), `${text}\n`);
  }
  for (const name of [".dependency-cruiser.cjs", "tsconfig.json", "package.json"]) {
    copyFileSync(join(root, name), join(home, name));
  }
  symlinkSync(join(root, "node_modules"), join(home, "node_modules"));
});

afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

test("reports each violation once, and no valid file", () => {
  const cli = join(root, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  const { stdout } = spawnSync(process.execPath, [cli, "src", "--output-type", "json"], {
    cwd: home,
    encoding: "utf8",
  });
  const { summary } = JSON.parse(stdout) as Report;
  const found = summary.violations.map(({ from, rule }) => `${rule.name}: ${from}`);
  expect(found.sort()).toEqual([...EXPECTED].sort());
});
