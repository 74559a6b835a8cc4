import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { deleteMcpServerRow, insertMcpServer } from "@/server/db/settings/mcp-server-writes";
import { noCommands } from "@/test/tool-fixture";
import { testDatabase } from "@/test/database";
import { toRecord } from "@/test/mcp-fixture";
import { startStubServer } from "@/test/stub-server";
import { TEST_CIPHER } from "@/test/test-secret";
import { testProcess } from "@/test/test-process";
import { startMcpServers } from "./start-mcp-servers";

beforeAll(() => testDatabase());

it("connects to servers when the process is ready, and not before", async () => {
  const stub = await startStubServer((response) => response.writeHead(500).end());
  onTestFinished(() => stub.close());
  const reach = (name: string) =>
    toRecord(
      { type: "http", url: `${stub.url}/${name}`, headers: {}, allow_private: true },
      { name },
    );
  const paths = (): Set<string> => new Set(stub.requests.map((request) => request.path));

  const db = await testDatabase();
  const { cached } = testProcess(db);
  const stored = reach("stored");
  await db.transaction((tx) => insertMcpServer(tx, stored));
  cached.mcpServers.forget();
  onTestFinished(async () => {
    await db.transaction((tx) => deleteMcpServerRow(tx, stored.id));
    cached.mcpServers.forget();
  });
  const ready = Promise.withResolvers<undefined>();
  const dataDir = mkdtempSync(path.join(tmpdir(), "parley-mcp-"));
  const servers = await startMcpServers(
    {
      db,
      cached,
      ...noCommands,
      settings: { dataDir, mcpVariables: {}, mcpDestinations: {}, port: 1 },
      cipher: TEST_CIPHER,
    },
    ready.promise,
  );
  onTestFinished(() => servers.stop());

  // Takes as long as a connection to the stored one would have taken.
  await servers.test(reach("tested"));
  expect(paths()).toEqual(new Set(["/tested"]));
  ready.resolve(undefined);
  await expect.poll(paths).toContain("/stored");
});
