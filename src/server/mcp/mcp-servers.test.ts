import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { findProcesses, findTestSandbox } from "@/test/exec-fixture";
import {
  createMcpFixture,
  MCP_WAYS,
  NO_VARIABLES,
  reachEverything,
  runProgram,
  startEverything,
  toRecord,
  waitForExit,
} from "@/test/mcp-fixture";
import { HANGING } from "@/test/hanging";
import { createTestBudget } from "@/test/test-budget";
import { noCommands, recordedDeps } from "@/test/tool-fixture";
import { createMcpServers } from "./mcp-servers";

// Each test starts programs, which takes seconds on a busy machine.

describe.each(MCP_WAYS)("the reference server by %s", (way) => {
  it("has its tools called, with progress, files and data", async () => {
    const { call, toolbox, servers } = createMcpFixture([toRecord(await reachEverything(way))]);
    const { definitions, warnings } = await toolbox();
    expect(warnings).toEqual([]);
    expect(definitions.map(({ name }) => name)).toContain("test_echo");
    expect(definitions.find(({ name }) => name === "test_echo")?.inputSchema).toMatchObject({
      required: ["message"],
    });

    expect(await call("test_echo", { message: "hello" })).toMatchObject({
      state: "completed",
      output: "Echo: hello",
      isError: false,
    });
    const wrong = await call("test_echo", {});
    expect(wrong).toMatchObject({ state: "error" });
    expect(wrong.output).toContain("The arguments do not fit");

    const recorded = recordedDeps();
    const image = await call("test_get-tiny-image", {}, recorded);
    expect(image.artifacts).toMatchObject([{ media_type: "image/png", name: "image-2.png" }]);
    expect(recorded.saved[0]?.bytes.subarray(1, 4)).toEqual(new TextEncoder().encode("PNG"));

    const links = await call("test_get-resource-links", { count: 2 });
    expect(links.output).toMatch(/Link to .*: demo:\/\/resource/);
    const embedded = await call("test_get-resource-reference", {
      resourceType: "Text",
      resourceId: 1,
    });
    expect(embedded.output).toMatch(/demo:\/\/resource\/dynamic\/text\/1:\n/);

    const data = await call("test_get-structured-content", { location: "Chicago" });
    expect(JSON.parse(data.output as string)).toMatchObject({
      temperature: expect.any(Number) as number,
    });

    const steps = recordedDeps();
    const args = { duration: 0.6, steps: 3 };
    expect(await call("test_trigger-long-running-operation", args, steps)).toMatchObject({
      state: "completed",
    });
    expect(steps.ops).toContainEqual(
      expect.objectContaining({ op: "output-append", text: "1 of 3\n" }),
    );
    const [link] = await servers.listLinks();
    expect(link?.status()).toEqual({ state: "connected" });
  });

  it("is told when a call is stopped, and goes on", async () => {
    const { call, toolbox } = createMcpFixture([toRecord(await reachEverything(way))]);
    await toolbox();
    const recorded = recordedDeps();
    const running = call(
      "test_trigger-long-running-operation",
      { duration: 60, steps: 600 },
      recorded,
    );
    await expect.poll(() => recorded.ops.length).toBeGreaterThan(0);
    recorded.abort();
    expect(await running).toMatchObject({ state: "cancelled" });
    expect(await call("test_echo", { message: "again" })).toMatchObject({ output: "Echo: again" });
  });
});

describe("a program that does not answer", () => {
  it("is reported with what it wrote, and with the network that it did not have", async () => {
    const { servers } = createMcpFixture([], { connectMs: 2_000 });
    const silent = { type: "stdio", command: "sh", network: false, env: {} } as const;
    const args = ["-c", 'echo "$npm_config_fetch_retries retries" >&2; exec sleep 60'];
    expect(await servers.test(toRecord({ ...silent, args }))).toMatchObject({
      ok: false,
      detail:
        "It did not answer in 2 seconds. It had no network, which the settings of the server can allow. 0 retries",
    });
  });
});

describe("a server that is lost", () => {
  it("ends its calls with an error, and is connected to again", async () => {
    const { call, servers } = createMcpFixture([toRecord(runProgram("hostile-server.mjs"))]);
    const outcome = await call("test_die");
    expect(outcome).toMatchObject({ state: "error", isError: true });
    expect(outcome.output).toMatch(/exit code 7.*may have taken effect or not/s);
    expect((await servers.listLinks())[0]?.status()).toMatchObject({ state: "failed" });
    // A call does not wait for the end of the pause.
    const next = await call("test_refuse");
    expect(next.output).toContain("has refused the call: no such thing");
    expect((await servers.listLinks())[0]?.status()).toEqual({ state: "connected" });
  });

  it("keeps its tools offered, and gets a call again if it does not know the session any more", async () => {
    const { url, child } = await startEverything();
    const fixture = createMcpFixture([
      toRecord({ type: "http", url, headers: {}, allow_private: true }),
    ]);
    await fixture.toolbox();
    child.kill("SIGKILL");
    await waitForExit(child);
    const outcome = await fixture.call("test_echo", { message: "x" });
    expect(outcome.state).toBe("error");
    expect(outcome.output).toContain("is not connected");
    // Its tools stay offered, so that the prompt of its chats stays the same.
    expect((await fixture.toolbox()).offered.get("test_echo")).toBeDefined();
    const port = Number(new URL(url).port);
    const second = await startEverything(port);
    expect(await fixture.call("test_echo", { message: "y" })).toMatchObject({ output: "Echo: y" });
    second.child.kill("SIGKILL");
    await waitForExit(second.child);
    await startEverything(port);
    expect(await fixture.call("test_echo", { message: "z" })).toMatchObject({ output: "Echo: z" });
  });
});

describe("a hostile server", () => {
  it("gets different names for its tools, and none for what is no tool", async () => {
    const { toolbox, servers } = createMcpFixture([toRecord(runProgram("hostile-server.mjs"))]);
    const names = (await toolbox()).definitions.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name))).toBe(true);
    expect(names.filter((name) => name.startsWith("test_a_b"))).toHaveLength(3);
    expect(names.filter((name) => /^test_x+_[0-9a-f]{8}$/.test(name))).toHaveLength(1);
    const [link] = await servers.listLinks();
    expect(link?.offered().notices).toEqual([
      'The tool "same" is not offered: the server has another one of this name.',
      'The tool "deep" is not offered: its schema is nested too deeply.',
      'The tool "large" is not offered: its schema is over 65536 bytes.',
    ]);
  });

  it("cannot fill the memory with a result", async () => {
    const { call } = createMcpFixture([toRecord(runProgram("hostile-server.mjs"))]);
    const outcome = await call("test_big");
    expect(outcome.state).toBe("error");
    expect(outcome.output).toContain("a message of more than 24 MB");
    expect((await call("test_refuse")).output).toContain("no such thing");
  });

  it("has 20 files of a result kept", async () => {
    const recorded = recordedDeps();
    const { call } = createMcpFixture([toRecord(runProgram("hostile-server.mjs"))]);
    const outcome = await call("test_files", {}, recorded);
    expect(recorded.saved).toHaveLength(20);
    expect((outcome.output as string).match(/one more file was left out/g)).toHaveLength(10);
  });

  it("has a call cancelled that takes too long", async () => {
    const { call } = createMcpFixture([
      toRecord(runProgram("hostile-server.mjs"), { timeout_seconds: 1 }),
    ]);
    const outcome = await call("test_hang");
    expect(outcome).toMatchObject({ state: "error" });
    expect(outcome.output).toMatch(/^Timed out: .* did not answer in 1 seconds/);
  });
});

describe("a server that changes", () => {
  it("has its lists followed, page by page", async () => {
    const { call, servers } = createMcpFixture([
      toRecord(runProgram("hostile-server.mjs", "growing")),
    ]);
    const [link] = await servers.listLinks();
    const tools = () => link?.offered().tools.map(({ tool }) => tool);
    const prompts = async () => (await link?.commands.list())?.commands.map(({ name }) => name);
    expect(tools()).toEqual(["grow_0"]);
    expect(await prompts()).toEqual(["test:prompt_0"]);
    await call("test_grow_0");
    await call("test_grow_0");
    await expect.poll(tools).toEqual(["grow_0", "grow_1", "grow_2"]);
    await expect.poll(prompts).toEqual(["test:prompt_0", "test:prompt_1", "test:prompt_2"]);
  });
});

describe("an approval", () => {
  it.each([
    ["annotations", false, true],
    ["always", true, true],
    ["never", false, false],
  ] as const)("by %s", async (approval, readOnly, other) => {
    const { prepare } = createMcpFixture([
      toRecord(runProgram("hostile-server.mjs"), { approval }),
    ]);
    expect(await prepare("test_die")).toMatchObject({ needsApproval: readOnly });
    expect(await prepare("test_hang")).toMatchObject({ needsApproval: other });
  });
});

describe("the servers of a process", () => {
  it("follow what is stored, and leave no process and no file behind", async () => {
    const record = toRecord(runProgram("hostile-server.mjs", "mark-of-this-test"));
    const { store, toolbox, dataDir } = createMcpFixture([record]);
    expect((await toolbox()).definitions).not.toEqual([]);
    expect(findProcesses("mark-of-this-test")).not.toEqual([]);
    const { declaration } = record;
    const updatedAt = new Date(record.updatedAt.getTime() + 1);
    await store([{ ...record, updatedAt, declaration: { ...declaration, enabled: false } }]);
    expect((await toolbox()).definitions).toEqual([]);
    expect(findProcesses("mark-of-this-test")).toEqual([]);
    expect(existsSync(path.join(dataDir, "mcp", record.id))).toBe(true);
    await store([]);
    expect(existsSync(path.join(dataDir, "mcp", record.id))).toBe(false);
  });

  it("do not keep turns waiting for the end of others", async () => {
    let stored = [toRecord(runProgram("hostile-server.mjs"), { enabled: false })];
    const removed = Promise.withResolvers<undefined>();
    const servers = createMcpServers({
      listRecords: () => Promise.resolve(stored),
      ...noCommands,
      openDirectory: () => Promise.reject(new Error("no directories here")),
      removeDirectory: () => removed.promise,
      variables: NO_VARIABLES,
      decryptSecret: () => undefined,
      ownPort: 1,
    });
    await servers.sync();
    stored = [];
    expect(await servers.listLinks()).toEqual([]);
    removed.resolve(undefined);
    await servers.stop();
  });

  it("tests one that is off", async () => {
    const { servers } = createMcpFixture([]);
    const record = toRecord(runProgram("hostile-server.mjs"), { enabled: false });
    expect(await servers.test(record)).toMatchObject({
      ok: true,
      message: 'The MCP server "test" has 14 tools.',
    });
    expect(await servers.test(toRecord(runProgram("there-is-no-such-program.mjs")))).toMatchObject({
      ok: false,
      detail: expect.stringContaining("has ended with exit code 1") as string,
    });
  });

  it("report a variable that is not set", async () => {
    const transport = runProgram("hostile-server.mjs");
    const { servers } = createMcpFixture([
      toRecord({ ...transport, env: { API_TOKEN: "${MCP_MISSING}" } } as typeof transport),
    ]);
    const [link] = await servers.listLinks();
    expect(link?.status().error).toMatch(/^The variable MCP_MISSING is not set/);
  });
});

/** Answers each call with what the program sees, without a library for JSON. */
const PROBE = `
$| = 1;
sub answer { print qq({"jsonrpc":"2.0","id":$_[0],"result":$_[1]}\\n) }
while (<STDIN>) {
  my ($id) = /"id":(\\d+)/ or next;
  if (/"initialize"/) { answer($id, '{"protocolVersion":"2025-06-18","serverInfo":{"name":"p","version":"1"},"capabilities":{"tools":{}}}') }
  elsif (/"tools\\/list"/) { answer($id, '{"tools":[{"name":"probe","inputSchema":{"type":"object"}}]}') }
  else {
    open(my $file, ">>", "$ENV{HOME}/kept"); print $file "x"; close $file;
    my $kept = -s "$ENV{HOME}/kept";
    my $network = grep { /:/ && !/lo:/ } do { open(my $net, "<", "/proc/net/dev"); <$net> };
    my $host = -e "${process.cwd()}" ? 1 : 0;
    my $text = "home $ENV{HOME}, kept $kept, interfaces $network, host $host, token $ENV{BRAVE_API_KEY}";
    answer($id, qq({"content":[{"type":"text","text":"$text"}]}));
  }
}`;

describe("a server in the sandbox", () => {
  it("does not start where it would leave no memory for commands, and says which setting does", async () => {
    const record = toRecord(runProgram("hostile-server.mjs"));
    const { servers } = createMcpFixture([record], { budget: createTestBudget(1) });
    await servers.sync();
    await vi.waitFor(
      () =>
        expect(servers.status(record)).toMatchObject({
          state: "failed",
          error: expect.stringContaining("PARLEY_EXEC_TOTAL_MEMORY_MB") as string,
        }),
      HANGING,
    );
    await servers.stop();
  });

  it("takes the memory of a command for as long as it runs", async () => {
    const budget = createTestBudget(2);
    const lasting = {
      owner: { userId: "user-1", chatId: "chat-1" },
      isLasting: true,
      signal: new AbortController().signal,
      onWait: () => undefined,
    };
    const record = toRecord(runProgram("hostile-server.mjs"));
    const { servers } = createMcpFixture([record], { budget });
    await servers.sync();
    await vi.waitFor(() => expect(servers.status(record).state).toBe("connected"), HANGING);
    await expect(budget.run(lasting, () => Promise.resolve())).rejects.toThrow("all but one");
    await servers.stop();
    await vi.waitFor(() => budget.run(lasting, () => Promise.resolve()), HANGING);
  });

  it.each([false, true])(
    "has its own directory, and the network only if it may: %s",
    async (network) => {
      const sandbox = await findTestSandbox();
      const transport = {
        type: "stdio" as const,
        command: "perl",
        args: ["-e", PROBE],
        network,
        env: { BRAVE_API_KEY: "${MCP_TEST_TOKEN}" },
      };
      const record = toRecord(transport, { timeout_seconds: 10 });
      const { call, servers } = createMcpFixture([record], {
        sandbox,
        variables: {
          values: { MCP_TEST_TOKEN: "from-outside" },
          destinations: { MCP_TEST_TOKEN: ["program"] },
          recordedUses: [],
        },
      });
      const facts = "host 0, token from-outside";
      const first = await call("test_probe");
      expect(first.output).toMatch(
        new RegExp(
          `^home /workspace, kept 1, interfaces ${network ? "[1-9]\\d*" : "0"}, ${facts}$`,
        ),
      );
      expect(findProcesses("from-outside")).toHaveLength(0);
      expect((await call("test_probe")).output).toContain("kept 2");
      await servers.stop();
      await delay(0);
    },
  );
});
