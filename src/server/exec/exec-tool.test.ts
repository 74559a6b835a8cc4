import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { ExecResult } from "@/contract/exec";
import { SECRET_MASK } from "@/lib/redact-secrets";
import { addSecret } from "@/server/mask-secrets";
import { createExecFixture, type ExecFixture, findProcesses } from "@/test/exec-fixture";
import { HANGING } from "@/test/hanging";
import { CALL_IDENTITY, recordedDeps, toolScope } from "@/test/tool-fixture";
import { SYSTEM_PROGRAMS } from "@/server/exec/sandbox/host-programs";
import { findSandbox } from "@/server/exec/sandbox/find-sandbox";
import { createToolContext } from "@/server/tools/tool-context";

const kinds = existsSync("/usr/bin/bwrap")
  ? (["bubblewrap", "unshare"] as const)
  : (["unshare"] as const);

let fixture: ExecFixture;
beforeAll(async () => {
  fixture = await createExecFixture();
});
afterAll(() => fixture.sessions.endAll());

/** @returns the whole of an output that was too long for its result. */
const readSaved = ({ artifact }: ExecResult): string =>
  Buffer.from(fixture.saved.find(({ id }) => id === artifact?.id)?.bytes ?? []).toString();
const run = (command: string, more: object = {}) => ({ action: "run", command, ...more });
/** A number of seconds that no other process of this machine sleeps. */
let nextSleep = 990_000 + process.pid;
const uniqueSleep = () => `sleep ${(nextSleep += 1)}`;
const eventually = <Result>(check: () => Result) => vi.waitFor(check, HANGING);
const gone = (text: string) => eventually(() => expect(findProcesses(text)).toEqual([]));
/** Limits in seconds for a command that must write something before; a busy machine needs a longer one. */
const TIMEOUTS = [0.5, 2, 8];
/** Calls until a command had the time to begin. */
const untilStarted = async (
  call: (timeout: number) => Promise<ExecResult>,
): Promise<ExecResult> => {
  const [timeout = 0, ...longer] = TIMEOUTS;
  let result = await call(timeout);
  for (const next of longer) {
    if (result.output !== "") break;
    result = await call(next);
  }
  return result;
};

describe("run", () => {
  it("returns output and errors in their order, and the exit code, which is no failure", async () => {
    const result = await fixture.exec(run("echo one; echo two >&2; echo three; exit 3"));
    expect(result).toEqual({
      status: "exited",
      exit_code: 3,
      output: "one\ntwo\nthree\n",
      duration_ms: expect.any(Number) as number,
    });
  });

  it("takes the spellings of the seed", async () => {
    const chatId = uuidv7();
    const args = { action: "run", command: "cat", background: "true", timeout: "20" };
    const { session_id: sessionId = "" } = await fixture.exec(args, { chatId });
    const failed = await fixture.fail({ action: "send-keys", sessionId, keys: "q" }, { chatId });
    expect(failed).toContain(`"${sessionId}" has no terminal`);
  });

  it("runs in the workspace, or in one of its directories", async () => {
    const chatId = uuidv7();
    expect((await fixture.exec(run("mkdir sub; echo $PWD; echo $HOME"), { chatId })).output).toBe(
      "/workspace\n/workspace\n",
    );
    expect((await fixture.exec(run("pwd", { cwd: "sub" }), { chatId })).output).toBe(
      "/workspace/sub\n",
    );
    for (const cwd of ["/workspace/sub", "/workspace/sub/", "/workspace/./sub"]) {
      const { output } = await fixture.exec(run("pwd", { cwd }), { chatId });
      expect(output).toBe("/workspace/sub\n");
    }
    await fixture.exec(run("ln -s / out; touch file"), { chatId });
    expect(await fixture.fail(run("pwd", { cwd: "out" }), { chatId })).toContain("leads out of");
    expect(await fixture.fail(run("pwd", { cwd: "../.." }), { chatId })).toContain('contains ".."');
    expect(await fixture.fail(run("pwd", { cwd: "file" }), { chatId })).toContain(
      "not a directory",
    );
    expect(await fixture.fail(run("pwd", { cwd: "none" }), { chatId })).toContain("does not exist");
  });

  it("has a fixed environment and what the call adds, and nothing of the server", async () => {
    const { output } = await fixture.exec(run("env", { env: { GREETING: "hello world" } }));
    const names = output
      .trim()
      .split("\n")
      .map((line) => line.split("=")[0]);
    expect(new Set(names)).toEqual(
      new Set(["GREETING", "HOME", "LANG", "PATH", "PWD", "SHLVL", "TERM", "_"]),
    );
    expect(output).toContain("GREETING=hello world\n");
  });

  it.each([
    "LD_PRELOAD",
    "NODE_OPTIONS",
    "BASH_ENV",
    "PERLLIB",
    "PERL5DB",
    "PHPRC",
    "LUA_INIT_5_4",
    "PARLEY_SECRET",
    "OPENAI_API_KEY",
    "a b",
    "",
  ])("refuses the environment variable %j and runs nothing", async (name) => {
    const chatId = uuidv7();
    const failed = await fixture.fail(run("touch ran", { env: { [name]: "x" } }), { chatId });
    expect(failed).toContain(`${JSON.stringify(name)} was refused`);
    expect((await fixture.exec(run("ls"), { chatId })).output).toBe("");
  });

  it.each([
    [{ action: "run" }, "needs a command"],
    [run("  "), "needs a command"],
    [run("echo \u0000"), "NUL"],
    [run("true", { timeout: 0 }), "background"],
    [run("true", { report_on_exit: "true" }), "set background, too"],
    [run("true", { timeout: 14_401 }), "/timeout"],
    [{ action: "read" }, "needs a session_id"],
    [{ action: "fly" }, "/action"],
  ])("refuses %j", async (args, message) => {
    expect(await fixture.fail(args)).toContain(message);
  });

  it.each(kinds)("names the signal that ended a command, in %s", async (kind) => {
    const { sandbox } = await findSandbox(kind, { privateDirectories: [] });
    const { exec } = await createExecFixture({ ...(sandbox && { sandbox }) });
    for (const name of ["KILL", "TERM", "INT", "ABRT"]) {
      for (const pty of [false, true]) {
        const { status, signal, exit_code: code } = await exec(run(`kill -${name} $$`, { pty }));
        expect({ status, signal, code }).toEqual({ status: "killed", signal: `SIG${name}` });
      }
    }
    for (const command of ["exit 137", "sh -c 'kill -KILL $$'; exit $?"]) {
      const { status, signal, exit_code: code } = await exec(run(command));
      expect({ status, signal, code }).toEqual({ status: "exited", code: 137 });
    }
  });

  it.each(kinds)("cannot stop the processes that hold it, in %s", async (kind) => {
    const { sandbox } = await findSandbox(kind, { privateDirectories: [] });
    const { exec } = await createExecFixture({ ...(sandbox && { sandbox }) });
    for (const code of [128 + 19, 128 + 20, 128 + 21, 128 + 22, 7]) {
      // Copies the descriptors of the process that started it, where the kernel allows it, and reports to it.
      const report = `exec perl -e 'my $process = syscall(434, getppid(), 0);
        for (3 .. 20) {
          my $copy = syscall(438, $process, $_, 0);
          open(my $report, ">&=", $copy) or next;
          syswrite $report, chr(${code} & 127);
        }
        exit ${code}'`;
      const result = await exec(run(report, { timeout: 5 }));
      expect(result).toMatchObject({ status: "exited", exit_code: code });
    }
  });

  it.each(kinds)("may end its process group, in %s", async (kind) => {
    const { sandbox } = await findSandbox(kind, { privateDirectories: [] });
    const { exec } = await createExecFixture({ ...(sandbox && { sandbox }) });
    const { exit_code: code, output } = await exec(
      run("sleep 60 & trap '' TERM; kill 0; wait; echo survived"),
    );
    expect({ code, output }).toEqual({ code: 0, output: "survived\n" });
  });

  it("kills the whole tree at the timeout and keeps the output", async () => {
    const sleeps = [uniqueSleep(), uniqueSleep(), uniqueSleep(), uniqueSleep()];
    const [first, second, third, fourth] = sleeps;
    const script = `echo begun; setsid ${third} & (( ${fourth} & ) & ) ; sh -c '${first} & ${second}'`;
    const result = await untilStarted((timeout) => fixture.exec(run(script, { timeout })));
    expect(result).toMatchObject({ status: "timed_out", signal: "SIGKILL", output: "begun\n" });
    expect(result.exit_code).toBeUndefined();
    for (const sleep of sleeps) expect(findProcesses(sleep)).toEqual([]);
  });

  it("kills the whole tree when the turn is stopped", async () => {
    const sleep = uniqueSleep();
    const recorded = recordedDeps();
    const running = fixture.call(run(`setsid ${sleep} & ${sleep}`), { recorded });
    await eventually(() => expect(findProcesses(sleep).length).toBeGreaterThan(1));
    recorded.abort("interrupted");
    expect((await running).state).toBe("cancelled");
    await gone(sleep);
  });

  it.each([false, true])(
    "keeps what was written before a stop; with a terminal: %s",
    async (pty) => {
      const recorded = recordedDeps();
      const command = `printf '\\033[32mhalf\\033[0m done\\n'; sleep 999`;
      const running = fixture.call(run(command, { pty }), { recorded });
      await eventually(() => expect(JSON.stringify(recorded.ops)).toContain("done"));
      recorded.abort("interrupted");
      expect(await running).toMatchObject({
        state: "cancelled",
        output: expect.stringMatching(
          /^Interrupted: .*\nUntil then it had written:\nhalf done\n?$/,
        ) as string,
      });
    },
  );

  it("says nothing of what was written before a stop, where nothing was", async () => {
    const sleep = uniqueSleep();
    const recorded = recordedDeps();
    const running = fixture.call(run(sleep), { recorded });
    await eventually(() => expect(findProcesses(sleep).length).toBeGreaterThan(0));
    recorded.abort("interrupted");
    expect((await running).output).not.toContain("\n");
  });

  it("cuts what was written before a stop", async () => {
    const recorded = recordedDeps({ maxOutputBytes: 64 * 1024 });
    const running = fixture.call(run("seq 100000; echo end; sleep 999"), { recorded });
    await eventually(() => expect(JSON.stringify(recorded.ops)).toContain("\\nend"));
    recorded.abort("interrupted");
    const { output } = await running;
    expect(output).toMatch(/written:\n1\n2\n[^]*bytes left out[^]*\nend\n$/);
    expect(JSON.stringify(output).length).toBeLessThan(50_000);
  });

  it("has no terminal codes for the model, and keeps them for the person", async () => {
    const command = `printf '\\033[1;31mred\\033[0m \\033]8;;https://example.org\\033\\\\link\\033]8;;\\033\\\\ \\033[2K.'`;
    const { output, forUser } = await fixture.call(run(command));
    expect(output).toMatchObject({ output: "red link ." });
    expect(forUser).toContain("\u001b[1;31mred\u001b[0m");
    const inTerminal = `printf '\\033[31mred\\033[0m'`;
    const shown = await fixture.call(run(inTerminal, { pty: true }));
    expect(shown.output).toMatchObject({ output: "red" });
    expect(shown.forUser).toMatch(/\[[\d;]*31[\d;]*mred/);
    expect((await fixture.call(run("echo plain"))).forUser).toBeNull();
  });

  it("names the setting where a program of the host is not found", async () => {
    const { output, exit_code: code } = await fixture.exec(run("bunx tool"));
    expect(code).toBe(127);
    expect(output).toMatch(/bunx: command not found\n\n\[Commands do not see .*PARLEY_EXEC_PATHS/);
    const found = await fixture.exec(run("echo 'sh: bunx: not found'"));
    expect(found.output).not.toContain("PARLEY_EXEC_PATHS");
  });

  it.each(kinds)("trusts the authorities of the server, in %s", async (kind) => {
    const file = "src/test/fixtures/tls/authority.pem";
    const programs = { ...SYSTEM_PROGRAMS, authorities: path.resolve(file) };
    const { sandbox } = await findSandbox(kind, { privateDirectories: [], programs });
    if (!sandbox) throw new Error("no sandbox");
    const trusting = await createExecFixture({ sandbox });
    const names = ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "GIT_SSL_CAINFO"];
    const command = `cat ${names.map((name) => `$${name}`).join(" ")}`;
    const { output } = await trusting.exec(run(command));
    expect(output).toBe(readFileSync(file, "utf8").repeat(names.length));
    const plain = await findSandbox("none", { privateDirectories: [], programs });
    expect(plain.sandbox?.environment.SSL_CERT_FILE).toBe(path.resolve(file));
  });

  it("masks a secret that terminal codes divide", async () => {
    const key = `ghp_${"a1B2".repeat(9)}`;
    const command = `printf 'gh\\033[31mp_${key.slice(4)}\\033[0m'`;
    const { output } = await fixture.exec(run(command));
    expect(output).toBe(SECRET_MASK);
  });

  it("shows the first line while the command runs", async () => {
    const recorded = recordedDeps();
    const chatId = uuidv7();
    const running = fixture.exec(
      run("echo first; until [ -e go ]; do sleep 0.05; done; echo second"),
      {
        chatId,
        recorded,
      },
    );
    await eventually(() =>
      expect(recorded.ops).toMatchObject([{ op: "output-append", text: "first\n" }]),
    );
    await fixture.exec(run("touch go"), { chatId });
    expect((await running).output).toBe("first\nsecond\n");
  });

  it("returns both ends of a long output, and keeps the whole as an artifact", async () => {
    const onTruncated = vi.fn();
    const recorded = recordedDeps({ onTruncated });
    const result = await fixture.exec(run("seq 1 400000"), { recorded });
    expect(onTruncated).toHaveBeenCalledTimes(1);
    expect(Buffer.byteLength(result.output)).toBeLessThanOrEqual(32 * 1024);
    expect(result.output).toMatch(/^1\n2\n/);
    expect(result.output).toMatch(/\n… |\n\[… \d+ bytes left out …\]\n/);
    expect(result.output).toMatch(/\n400000\n$/);
    expect(result.truncated).toBe(true);
    const lines = readSaved(result).split("\n");
    expect(lines).toHaveLength(400_001);
    expect(lines.every((line, index) => index === 400_000 || line === String(index + 1))).toBe(
      true,
    );
  });

  it("keeps both ends of an output that is too long for a file, and says how much is missing", async () => {
    const result = await fixture.exec(run("seq -w 1 4000000"));
    expect(result.output).toMatch(/^0000001\n0000002\n[^]*\n4000000\n$/);
    const whole = readSaved(result);
    const [, head = "", gap = "", tail = ""] =
      /^([^]*)\n\[… (\d+) bytes left out …\]\n([^]*)$/.exec(whole) ?? [];
    expect(head.length + Number(gap) + tail.length).toBe(4_000_000 * 8);
    expect(head.length).toBeGreaterThanOrEqual(12 * 1024 * 1024);
    expect(head.endsWith(`${String(head.length / 8).padStart(7, "0")}\n`)).toBe(true);
    expect(tail).toHaveLength(1024 * 1024);
    expect(tail.endsWith("3999999\n4000000\n")).toBe(true);
  });

  it("masks secrets in the whole of an output, whether it is in the file or not", async () => {
    const secret = "kX9wQ2vT7zB4mR8pL1nG5hJ6";
    addSecret(secret);
    const command = `seq 1 300000; echo "${secret}"; seq 1 20; echo "${secret}"`;
    const whole = readSaved(await fixture.exec(run(command)));
    expect(whole).not.toContain(secret);
    expect(whole.split("\n").filter((line) => line === SECRET_MASK)).toHaveLength(2);
    expect(whole).toMatch(/\n300000\n/);
  });

  it("keeps the newest of an output when there is no room for a file", async () => {
    vi.stubEnv("TMPDIR", "/dev/null");
    const recorded = recordedDeps();
    const result = await fixture.exec(run("seq -w 1 400000"), { recorded });
    vi.unstubAllEnvs();
    expect(result).toMatchObject({ status: "exited", exit_code: 0, truncated: true });
    const whole = readSaved(result);
    const missing = 400_000 * 7 - 1024 * 1024;
    expect(whole.startsWith(`\n[… ${missing} bytes left out …]\n`)).toBe(true);
    expect(whole.endsWith("\n399999\n400000\n")).toBe(true);
    expect(recorded.logged).toMatchObject([{ level: "error" }]);
  });

  it("cuts output of control characters to what it takes in JSON", async () => {
    const { output } = await fixture.exec(run("head -c 30000 /dev/zero"));
    expect(Buffer.byteLength(JSON.stringify(output))).toBeLessThanOrEqual(32 * 1024 + 2);
  });

  it("survives output that is no text", async () => {
    const { output } = await fixture.exec(run(String.raw`printf 'a\xff\xc3b\n'`));
    expect(output).toBe("a��b\n");
  });
});

describe("the process", () => {
  it("gives each of 50 chats that run at once its own output", async () => {
    const chats = Array.from({ length: 50 }, (_, index) => ({ chatId: uuidv7(), index }));
    const results = await Promise.all(
      chats.map(({ chatId, index }) =>
        fixture.exec(run(`echo ${index} > n; sleep 0.1; cat n; ls`), { chatId }),
      ),
    );
    expect(results.map(({ output }) => output)).toEqual(chats.map(({ index }) => `${index}\nn\n`));
  });

  it("asks before each command, write and key where there is no sandbox", async () => {
    const { sandbox: plain } = await findSandbox("none", { privateDirectories: [] });
    const open = await createExecFixture({ ...(plain && { sandbox: plain }) });
    const asks = async (args: object, tool = open.tool) => {
      const bound = tool.bind(args, CALL_IDENTITY);
      return Array.isArray(bound) ? bound : bound.needsApproval(toolScope());
    };
    const session = { session_id: "1", data: "x", keys: "x" };
    for (const action of ["run", "write", "send_keys"]) {
      expect(await asks({ action, command: "ls", ...session })).toBe(true);
      expect(await asks({ action, command: "ls", ...session }, fixture.tool)).toBe(false);
    }
    for (const action of ["list", "poll", "read", "kill"]) {
      expect(await asks({ action, ...session })).toBe(false);
    }
  });

  it("lets an approval cover the same command, directory, environment and kind of session", () => {
    const scope = (args: object) => {
      const bound = fixture.tool.bind(args, CALL_IDENTITY);
      return Array.isArray(bound) ? bound : JSON.stringify(bound.approvalScope());
    };
    const base = run("ls", { cwd: "a", env: { A: "1" } });
    expect(scope({ ...base, timeout: 5 })).toBe(scope(base));
    for (const other of [{ command: "ls -l" }, { cwd: "b" }, { env: {} }, { pty: true }]) {
      expect(scope({ ...base, ...other })).not.toBe(scope(base));
    }
    expect(scope({ ...base, background: true })).not.toBe(scope(base));
  });

  it("without a sandbox, obeys no settings that the model has written to the workspace", async () => {
    const { sandbox: plain } = await findSandbox("none", { privateDirectories: [] });
    const open = await createExecFixture({ ...(plain && { sandbox: plain }) });
    const script = [
      `printf '[alias]\n\tst = !echo written by the model\n' >.gitconfig`,
      "echo 'echo written by the model' >.profile",
      "git st 2>/dev/null",
      "bash -lc true",
      `[ "$HOME" -ef . ] || stat -c %a "$HOME"`,
    ].join("; ");
    expect((await open.exec(run(script), { approved: true })).output).toBe("700\n");
  });

  it.each([
    ["by itself", "env -i", "exit 0"],
    // Without what holds it, only those are found that keep their environment, or were seen before.
    ["with what holds it", "", "kill -9 $PPID; exec sleep 60"],
  ])("without a sandbox, leaves nothing when it ends %s", async (_how, change, end) => {
    const { sandbox: plain } = await findSandbox("none", { privateDirectories: [] });
    const open = await createExecFixture({ ...(plain && { sandbox: plain }) });
    for (const pty of [false, true]) {
      const sleep = uniqueSleep();
      const script = `(${change} setsid ${sleep} &); (setsid nohup ${sleep} &); setsid ${sleep} & until [ $(pgrep -cfx '${sleep}') = 3 ]; do :; done; ${end}`;
      await open.call(run(script, { pty }), { approved: true });
      await gone(sleep);
    }
  });

  it("runs a command without a sandbox, and kills all that it started", async () => {
    const { sandbox: plain } = await findSandbox("none", { privateDirectories: [] });
    const open = await createExecFixture({ ...(plain && { sandbox: plain }) });
    const bound = open.tool.bind(run("true"), CALL_IDENTITY);
    expect(Array.isArray(bound)).toBe(false);
    const sleep = uniqueSleep();
    const script = `echo begun; setsid ${sleep} & (( ${sleep} & ) & ) ; ${sleep}`;
    const recorded = recordedDeps();
    const chatId = uuidv7();
    const { context } = createToolContext(
      { ...recorded.deps, step: { ...recorded.deps.step, chatId, rootChatId: chatId } },
      "call-1",
    );
    const result = await untilStarted(async (timeout) => {
      const approved = open.tool.bind(run(script, { timeout }), CALL_IDENTITY);
      if (Array.isArray(approved)) throw new Error("the arguments were refused");
      return (await approved.run(context)).value as ExecResult;
    });
    expect(result).toMatchObject({ status: "timed_out", output: "begun\n" });
    expect(findProcesses(sleep)).toEqual([]);
  });
});

describe("a session", () => {
  it("returns at once, gives what is new to each read, and its end", async () => {
    const chatId = uuidv7();
    const script = "echo one; read line; echo got $line; exit 4";
    const begun = await fixture.exec(run(script, { background: true }), { chatId });
    expect(begun).toMatchObject({ status: "running", output: "" });
    const { session_id = "" } = begun;
    expect(await fixture.exec({ action: "poll", session_id }, { chatId })).toMatchObject({
      status: "running",
      output: "one\n",
    });
    expect((await fixture.exec({ action: "read", session_id }, { chatId })).output).toBe("");
    const written = await fixture.exec({ action: "write", session_id, data: "tea\n" }, { chatId });
    expect(written).toMatchObject({ status: "exited", exit_code: 4, output: "got tea\n" });
    expect(await fixture.exec({ action: "read", session_id }, { chatId })).toMatchObject({
      status: "exited",
      output: "",
    });
    for (const action of ["write", "send_keys", "kill"]) {
      const failed = await fixture.fail({ action, session_id, data: "x", keys: "x" }, { chatId });
      expect(failed).toContain(`"${session_id}" has ended: it exited with code 4`);
    }
  });

  it("says how much output was dropped before a read", async () => {
    const chatId = uuidv7();
    const { session_id = "" } = await fixture.exec(
      run("yes 'low tide' | head -c 3000000; echo; echo end", { background: true }),
      { chatId },
    );
    await eventually(async () =>
      expect((await fixture.exec({ action: "list" }, { chatId })).status).toBe("exited"),
    );
    const result = await fixture.exec({ action: "read", session_id }, { chatId });
    expect(result.output).toMatch(/^\[… 1951429 bytes before this are no longer kept …\]\n/);
    expect(result.output).toMatch(/low tide\nlow\nend\n$/);
    expect(result.truncated).toBe(true);
    expect(fixture.saved.find(({ id }) => id === result.artifact?.id)?.bytes).toHaveLength(
      1024 * 1024,
    );
  });

  it("keeps no secrets of a long output", async () => {
    const chatId = uuidv7();
    const secret = "kX9wQ2vT7zB4mR8pL1nG5hJ6";
    addSecret(secret);
    const script = `echo "${secret}"; seq 1 20000`;
    const { session_id = "" } = await fixture.exec(run(script, { background: true }), { chatId });
    await eventually(async () =>
      expect((await fixture.exec({ action: "list" }, { chatId })).status).toBe("exited"),
    );
    const whole = readSaved(await fixture.exec({ action: "read", session_id }, { chatId }));
    expect(whole.startsWith(`${SECRET_MASK}\n1\n2\n`)).toBe(true);
  });

  it("is killed with all its processes", async () => {
    const chatId = uuidv7();
    const sleep = uniqueSleep();
    const { session_id = "" } = await fixture.exec(
      run(`setsid ${sleep} & ${sleep}`, { background: true, timeout: 0 }),
      { chatId },
    );
    await eventually(() => expect(findProcesses(sleep).length).toBeGreaterThan(1));
    expect(await fixture.exec({ action: "kill", session_id }, { chatId })).toMatchObject({
      status: "killed",
      signal: "SIGKILL",
    });
    await gone(sleep);
  });

  it("ends at its timeout", async () => {
    const chatId = uuidv7();
    const { session_id = "" } = await fixture.exec(
      run("sleep 100", { background: true, timeout: 0.2 }),
      { chatId },
    );
    const result = await fixture.exec({ action: "poll", session_id }, { chatId });
    expect(result).toMatchObject({ status: "timed_out", session_id });
  });

  it("is for its own chat, and for others as if it did not exist", async () => {
    const { session_id = "" } = await fixture.exec(run("sleep 100", { background: true }));
    const other = uuidv7();
    const asked = { action: "read", session_id };
    const unknown = { action: "read", session_id: "00000000" };
    const answer = (await fixture.fail(asked, { chatId: other })).replace(session_id, "*");
    expect(answer).toBe((await fixture.fail(unknown, { chatId: other })).replace("00000000", "*"));
    expect((await fixture.exec({ action: "list" }, { chatId: other })).sessions).toEqual([]);
  });

  it("is unknown when another process has started it, and is not run again", async () => {
    const args = { action: "run", command: "make world", pty: "true", background: "true" };
    const started = [{ sessionId: "0a0b0c0d", args }];
    const later = await createExecFixture({ started });
    const session = { session_id: "0a0b0c0d" };
    expect(await later.exec({ action: "read", ...session })).toMatchObject({
      ...session,
      status: "unknown",
    });
    expect(await later.fail({ action: "write", ...session, data: "x" })).toContain("has ended");
    expect((await later.exec({ action: "list" })).sessions).toMatchObject([
      { ...session, status: "unknown", command: "make world", pty: true },
    ]);
  });

  it.each(kinds)("says that its input is closed, in %s", async (kind) => {
    const { sandbox, failures } = await findSandbox(kind, { privateDirectories: [] });
    expect(failures).toEqual([]);
    const isolated = await createExecFixture({ ...(sandbox && { sandbox }) });
    const chatId = uuidv7();
    const script = "read line; echo got $line; exec <&-; echo closed; sleep 100";
    const { session_id = "" } = await isolated.exec(run(script, { background: true }), {
      chatId,
    });
    const write = { action: "write", session_id, data: "tea\n" };
    expect((await isolated.exec(write, { chatId })).output).toContain("got tea\nclosed");
    // The first write shows it, the second one is refused.
    const closed = `The input of the session "${session_id}" is closed: nothing was written.`;
    expect(await isolated.fail(write, { chatId })).toContain(closed);
    expect(await isolated.fail(write, { chatId })).toContain(closed);
    await isolated.sessions.endAll();
  });

  it("is one of at most eight that run in a chat", async () => {
    const limited = await createExecFixture();
    const chatId = uuidv7();
    const sleep = run("sleep 100", { background: true });
    const all = await Promise.all(
      Array.from({ length: 10 }, () => limited.call(sleep, { chatId })),
    );
    expect(all.filter(({ isError }) => !isError)).toHaveLength(8);
    expect(all.find(({ isError }) => isError)?.output).toContain("8 sessions running");
    const { sessions = [] } = await limited.exec({ action: "list" }, { chatId });
    await limited.exec({ action: "kill", session_id: sessions[0]?.session_id ?? "" }, { chatId });
    expect((await limited.exec(sleep, { chatId })).status).toBe("running");
    await limited.sessions.endAll();
  });

  it("is one of at most 64 that run in a process", async () => {
    const limited = await createExecFixture();
    const sleep = run("sleep 100", { background: true });
    const all = await Promise.all(Array.from({ length: 66 }, () => limited.call(sleep)));
    expect(all.filter(({ isError }) => !isError)).toHaveLength(64);
    expect(all.find(({ isError }) => isError)?.output).toContain("server has 64 sessions running");
    await limited.sessions.endAll();
  });

  it("is ended when its chat does not use it, and forgotten later", async () => {
    const realNow = performance.now.bind(performance);
    const clock = vi.spyOn(performance, "now");
    onTestFinished(() => void clock.mockRestore());
    const letPass = (ms: number) => clock.mockImplementation(() => realNow() + ms);
    const idleMs = 600_000;
    const idle = await createExecFixture({ idleMs, sweepMs: 20 });
    const chatId = uuidv7();
    const sleep = uniqueSleep();
    const { session_id = "" } = await idle.exec(run(sleep, { background: true }), { chatId });
    const list = async () => (await idle.exec({ action: "list" }, { chatId })).sessions;
    letPass(idleMs);
    await eventually(async () => expect(await list()).toMatchObject([{ status: "killed" }]));
    await gone(sleep);
    letPass(2 * idleMs);
    await eventually(async () => expect(await list()).toEqual([]));
    expect(idle.sessions.has(chatId)).toBe(false);
    expect(session_id).toMatch(/^[0-9a-f]{8}$/);
  });

  it("is kept longer without a use when it is to report its end", async () => {
    const idle = await createExecFixture({ idleMs: 100, sweepMs: 20 });
    const chatId = uuidv7();
    const start = (more: object) =>
      idle.exec(run(uniqueSleep(), { background: true, ...more }), { chatId });
    const { session_id } = await start({ report_on_exit: true });
    await start({});
    const list = async () => (await idle.exec({ action: "list" }, { chatId })).sessions;
    await eventually(async () => expect(await list()).toHaveLength(1));
    expect(await list()).toMatchObject([{ session_id, status: "running" }]);
    await idle.sessions.endAll();
  });

  it.each([false, true])(
    "keeps no more than what was not read, once it has ended; with a terminal: %s",
    async (pty) => {
      const chatId = uuidv7();
      const { session_id = "" } = await fixture.exec(
        run("echo one; read line; seq 2000", { background: true, pty }),
        { chatId },
      );
      const [session] = fixture.sessions.list(chatId);
      await fixture.exec({ action: "poll", session_id }, { chatId });
      await fixture.exec({ action: "write", session_id, data: "\n" }, { chatId });
      await session?.command.ended;
      await fixture.exec({ action: "read", session_id }, { chatId });
      // The screen of a terminal can be read again.
      await eventually(() => expect(session?.command.heldBytes()).toBeLessThan(1_000));
      const again = await fixture.exec({ action: "read", session_id }, { chatId });
      expect(again).toMatchObject({ status: "exited" });
    },
  );

  it.each([false, true])(
    "loses its output when those that have ended keep too much; with a terminal: %s",
    async (pty) => {
      const limited = await createExecFixture({ maxEndedBytes: 10_000 });
      const chatId = uuidv7();
      const start = () => limited.exec(run("seq 2000", { background: true, pty }), { chatId });
      const untilEnded = () =>
        eventually(async () =>
          expect((await limited.exec({ action: "list" }, { chatId })).status).toBe("exited"),
        );
      const first = await start();
      await untilEnded();
      const second = await start();
      await untilEnded();
      const read = async ({ session_id = "" }: ExecResult) =>
        (await limited.exec({ action: "read", session_id }, { chatId })).output;
      const lost = await read(first);
      expect(lost).toMatch(pty ? /^\[… \d{4} lines before this/ : /^\[… 8893 bytes before this/);
      expect(lost).not.toMatch(/^2000$/m);
      expect(await read(second)).toMatch(/^2000$/m);
    },
  );

  it("ends with its chat, and with the process", async () => {
    const ending = await createExecFixture();
    const [first, second] = [uuidv7(), uuidv7()];
    const sleep = uniqueSleep();
    await ending.exec(run(sleep, { background: true }), { chatId: first });
    await ending.exec(run(`${sleep} 1`, { background: true }), { chatId: second });
    await eventually(() => expect(findProcesses(sleep).length).toBeGreaterThan(1));
    ending.sessions.endChat(first);
    await eventually(() => expect(findProcesses(sleep)).toEqual(findProcesses(`${sleep} 1`)));
    await ending.sessions.endAll();
    await gone(sleep);
  });
});

describe("a terminal", () => {
  const start = async (command: string, more: object = {}) => {
    const chatId = uuidv7();
    const { session_id = "" } = await fixture.exec(
      run(command, { pty: true, background: true, timeout: 20, ...more }),
      { chatId },
    );
    const act = (action: string, args: object = {}) =>
      fixture.exec({ action, session_id, ...args }, { chatId });
    /** Reads until the screen has a text. */
    const seen = (text: string | RegExp) =>
      eventually(async () => {
        const { output } = await act("read");
        expect(output).toMatch(text);
        return output;
      });
    const fileAppears = (name: string) =>
      eventually(async () => {
        const { exit_code } = await fixture.exec(run(`test -e ${name}`), { chatId });
        expect(exit_code).toBe(0);
      });
    return { act, seen, fileAppears };
  };

  it("is a terminal of 120 columns and 40 rows", async () => {
    const result = await fixture.exec(
      run("tty && stty size; echo $TERM; test -t 0 -a -t 1", { pty: true }),
    );
    expect(result).toMatchObject({ status: "exited", exit_code: 0 });
    expect(result.output).toMatch(/^\/dev\/\S+\n40 120\nxterm-256color$/);
  });

  it("has the size that the call sets, and the one that the program sets", async () => {
    const env = { COLUMNS: "80", LINES: "24" };
    const { output } = await fixture.exec(run("stty size", { pty: true, env }));
    expect(output).toBe("24 80");
    const { act, seen } = await start(
      "stty size; read; printf '\\033[8;50;100t'; read; stty size; read",
    );
    await seen("40 120");
    await act("send_keys", { keys: "enter" });
    await act("send_keys", { keys: "enter" });
    await seen("50 100");
  });

  it("sends ctrl-c to the program, which may go on", async () => {
    const { act, seen } = await start(
      "trap 'echo caught' INT; echo ready; while :; do read -t 1 line; done",
    );
    await seen("ready");
    expect((await act("send_keys", { keys: "ctrl-c" })).output).toMatch(/caught/);
    expect((await act("read")).status).toBe("running");
    const { act: actOnSleep, seen: seenSleep } = await start("echo begun; sleep 100; echo never");
    await seenSleep("begun");
    const stopped = await actOnSleep("send_keys", { keys: "ctrl-c" });
    expect(stopped.output).not.toContain("never");
    expect((await actOnSleep("poll")).status).not.toBe("running");
  });

  it("is its shell's own: ctrl-c ends the job only, and ctrl-d the shell, with the code 0", async () => {
    const { act, seen } = await start("tty; stty size; exec sh");
    expect(await seen(/\$$/)).toMatch(/^\/dev\/\S+\n40 120\n/);
    const job = "sh -c 'echo $((5 * 5)) begun; exec sleep 100' && echo $((6 * 7)) slept";
    await act("send_keys", { keys: [job, "enter"] });
    // Before it runs, the shell is what the key interrupts.
    await seen("25 begun");
    await act("send_keys", { keys: "ctrl-c" });
    await act("send_keys", { keys: ["echo still $((6 * 7))", "enter"] });
    await seen("still 42");
    await act("send_keys", { keys: "ctrl-d" });
    const { output } = await eventually(async () => {
      const result = await act("read");
      expect(result).toMatchObject({ status: "exited", exit_code: 0 });
      return result;
    });
    expect(output).not.toMatch(/42 slept|process group|job control/);
  });

  it("moves the cursor of less, which reads application cursor keys", async () => {
    const { act, seen } = await start("seq 1 500 > lines; exec less lines");
    await seen(/^1\n2\n/);
    const down = await act("send_keys", { keys: ["down", "down"] });
    expect(down.output).toMatch(/^3\n4\n/);
    const up = await act("send_keys", { keys: "up" });
    expect(up.output).toMatch(/^2\n3\n/);
    const end = await act("send_keys", { keys: "G" });
    expect(end.output).toMatch(/\n500\n/);
    expect(await act("send_keys", { keys: "q" })).toMatchObject({ status: "exited", exit_code: 0 });
  });

  it("moves the cursor of a shell, which reads normal cursor keys", async () => {
    const { act, seen } = await start("exec bash --norc");
    await seen("bash");
    await act("send_keys", { keys: ["echo ac", "left", "b", "enter"] });
    await seen(/\nabc\n/);
  });

  it("keeps the lines above the screen until they are read", async () => {
    const { act, seen, fileAppears } = await start(
      "printf 'red\\n'; seq 1 100; touch written; read; seq 1 2000; read",
    );
    // A read before that would take the first lines.
    await fileAppears("written");
    const first = await seen("100");
    expect(first.startsWith("red\n1\n2\n")).toBe(true);
    expect((await act("read")).output).toMatch(/^6[0-9]\n/);
    const { output, truncated } = await act("send_keys", { keys: "enter" });
    expect(output).toMatch(/\n2000$/);
    expect(output).toMatch(/^\[… \d+ lines before this are no longer kept …\]\n/);
    expect(truncated).toBe(true);
  });

  it("shows its screen while the command runs", async () => {
    const recorded = recordedDeps();
    const chatId = uuidv7();
    const command = "printf 'one\\rtwo'; until [ -e go ]; do sleep 0.05; done; echo; echo end";
    const running = fixture.exec(run(command, { pty: true }), { chatId, recorded });
    const shown = () => recorded.ops.flatMap((op) => (op.op === "output-append" ? [op.text] : []));
    await eventually(() => expect(shown()).toContain("two"));
    await fixture.exec(run("touch go"), { chatId });
    expect((await running).output).toBe("two\nend");
    expect(recorded.ops[0]).toMatchObject({ op: "output-reset" });
  });
});
