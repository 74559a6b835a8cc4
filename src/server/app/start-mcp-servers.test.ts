import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { forgetMcpServers } from "@/server/db/settings/mcp-server-reads";
import { deleteMcpServerRow, insertMcpServer } from "@/server/db/settings/mcp-server-writes";
import { noCommands } from "@/test/tool-fixture";
import { testDatabase } from "@/test/database";
import { toRecord } from "@/test/mcp-fixture";
import { startStubServer } from "@/test/stub-server";
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
  const stored = reach("stored");
  await db.transaction((tx) => insertMcpServer(tx, stored));
  forgetMcpServers(db);
  onTestFinished(async () => {
    await db.transaction((tx) => deleteMcpServerRow(tx, stored.id));
    forgetMcpServers(db);
  });
  const ready = Promise.withResolvers<undefined>();
  const dataDir = mkdtempSync(path.join(tmpdir(), "parley-mcp-"));
  const servers = await startMcpServers(
    { db, ...noCommands, settings: { dataDir, mcpVariables: {}, port: 1 } },
    ready.promise,
  );
  onTestFinished(() => servers.stop());

  // Takes as long as a connection to the stored one would have taken.
  await servers.test(reach("tested"));
  expect(paths()).toEqual(new Set(["/tested"]));
  ready.resolve(undefined);
  await expect.poll(paths).toContain("/stored");
});
