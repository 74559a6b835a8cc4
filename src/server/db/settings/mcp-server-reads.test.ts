import { expect, it } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { forgetMcpServers, recentMcpServers } from "./mcp-server-reads";

const row = (name: string) => ({
  id: name,
  updatedAt: new Date(0),
  declaration: { name, transport: { type: "stdio", command: "sh" } },
});

it("returns nothing that was read before a change", async () => {
  const reads: PromiseWithResolvers<object[]>[] = [];
  const findMany = () => {
    const read = Promise.withResolvers<object[]>();
    reads.push(read);
    return read.promise;
  };
  const db = { prisma: { mcpServer: { findMany } } } as unknown as Database;
  const early = recentMcpServers(db);
  forgetMcpServers(db);
  const late = recentMcpServers(db);
  reads[1]?.resolve([row("new")]);
  const rows = await late;
  reads[0]?.resolve([row("old")]);
  expect(await early).toBe(rows);
  expect(await recentMcpServers(db)).toBe(rows);
  expect(rows).toMatchObject([{ id: "new" }]);
});
