import { beforeAll, describe, expect, it } from "vitest";
import { createTestApi } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { createUnreachableDatabase } from "@/test/database-doubles";
import { handleHealthz, handleReadyz } from "./health";

beforeAll(() => testDatabase());

describe("health probes", () => {
  it("report a live process", () => {
    expect(handleHealthz().status).toBe(200);
  });

  it("report a ready process", async () => {
    const { api } = createTestApi(await testDatabase());
    const response = await api.handleReadyz();
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      status: "ok",
      checks: { database: true, running: true },
    });
  });

  it("report an unreachable database", async () => {
    const gone = createUnreachableDatabase(await testDatabase(), "gone");
    const response = await handleReadyz(gone);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ checks: { database: false } });
  });

  it("report a process that shuts down", async () => {
    const response = await handleReadyz(await testDatabase(), AbortSignal.abort());
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ checks: { database: true, running: false } });
  });
});
