import { expect, it } from "vitest";
import { measureKept } from "@/test/kept-memory";
import { createMcpFixture, runProgram, startEverything, toRecord } from "@/test/mcp-fixture";

/** A connection takes several requests. */
const BY_HTTP = 500;
/** A program of Node.js takes 0.1 s of a processor to start. After 10 programs, the process still makes what it keeps once. */
const BY_PROGRAM = 400;
const MAX_KEPT_BYTES = 4 * 1024;
/** Connections of HTTP that were kept open for the next request. */
const MAX_DESCRIPTORS = 8;

it.each(["http", "stdio"])(
  "a connection to an MCP server keeps nothing when it is closed: %s",
  async (way) => {
    const transport =
      way === "stdio"
        ? runProgram("asking-server.mjs")
        : ({
            type: "http",
            url: (await startEverything()).url,
            headers: {},
            allow_private: true,
          } as const);
    const record = toRecord(transport);
    const { servers } = createMcpFixture([]);
    const actions = way === "stdio" ? BY_PROGRAM : BY_HTTP;
    const kept = await measureKept(
      async () => {
        expect(await servers.test(record)).toMatchObject({ ok: true });
      },
      { actions, atOnce: 4 },
    );
    expect(kept.heapBytes + kept.bufferBytes).toBeLessThan(MAX_KEPT_BYTES);
    expect(kept.objects).toBeLessThan(1);
    expect(kept.descriptors).toBeLessThan(MAX_DESCRIPTORS);
  },
);
