import { describe, expect, it } from "vitest";
import { createMcpFixture, runProgram, toRecord } from "@/test/mcp-fixture";

// Each test starts a program, which takes seconds on a busy machine.

describe("a server", () => {
  it("has 500 of its 10,000 tools offered", async () => {
    const { toolbox, servers } = createMcpFixture([
      toRecord(runProgram("hostile-server.mjs", "many")),
    ]);
    expect((await toolbox()).definitions).toHaveLength(500);
    const [link] = await servers.listLinks();
    expect(link?.offered().notices).toEqual([
      "The server has 10000 tools: the first 500 are offered.",
    ]);
  });

  it.each([
    ["without end", "endless", "in more than 200 pages"],
    ["more than 10,000 tools", "crowd", "more than 10000 tools, or more than 24 MB"],
    ["more than 24 MB", "heavy", "more than 10000 tools, or more than 24 MB"],
  ])("is given up when it lists %s", async (_, mode, error) => {
    const { toolbox, servers } = createMcpFixture([
      toRecord(runProgram("hostile-server.mjs", mode)),
    ]);
    expect((await toolbox()).definitions).toEqual([]);
    expect((await servers.listLinks())[0]?.status()).toMatchObject({
      state: "failed",
      error: expect.stringContaining(error) as string,
    });
  });

  it("has its tools listed once when it sends the same page for each cursor", async () => {
    const { toolbox } = createMcpFixture([toRecord(runProgram("hostile-server.mjs", "same-page"))]);
    expect((await toolbox()).definitions.map(({ name }) => name)).toEqual(["test_files"]);
  });

  it("has a result used that lacks the data which its schema promises", async () => {
    const { call } = createMcpFixture([toRecord(runProgram("hostile-server.mjs", "schema"))]);
    expect(await call("test_files")).toMatchObject({ state: "completed", isError: false });
  });
});
