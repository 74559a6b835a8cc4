import { describe, expect, it } from "vitest";
import type { Database } from "@/server/db/database";
import { createTestApi } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { handleHealthz, handleReadyz } from "./health";

describe("health", () => {
  it("is well while the process runs", () => {
    expect(handleHealthz().status).toBe(200);
  });

  it("is ready when the database answers", async () => {
    const { api } = createTestApi(await testDatabase());
    const response = await api.handleReadyz();
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      status: "ok",
      checks: { database: true, running: true },
    });
  });

  it("is not ready without the database", async () => {
    const gone = { query: () => Promise.reject(new Error("gone")) } as unknown as Database;
    const response = await handleReadyz(gone);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ checks: { database: false } });
  });

  it("is not ready once the process is told to stop", async () => {
    const response = await handleReadyz(await testDatabase(), AbortSignal.abort());
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ checks: { database: true, running: false } });
  });
});
