import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { createInnerSettings } from "@/server/exec/sandbox/inner-command";
import { createPerlProgram } from "@/server/exec/sandbox/perl-program";
import { createSystemCallFilter } from "@/server/exec/sandbox/system-call-filter";
import { listProcesses } from "@/test/list-processes";
import { runPerl, type PerlOutcome, type PerlRun } from "@/test/run-perl";
import memoryGroup from "./memory-group.pl?raw";
import supervise from "./supervise.pl?raw";

const SIGTERM = 15;
const SIGSTOP = 19;

/** Counts the processes of this machine that have a command line. */
const countProcesses = (commandLine: string): number =>
  listProcesses("-eo", "args").filter((line) => line === commandLine).length;

/** Supervises a function of Perl, whose arguments are `$environment` and `$report`. */
const run = (body: string, options: Partial<PerlRun> = {}): Promise<PerlOutcome> =>
  runPerl({
    files: [memoryGroup, supervise],
    script: `supervise(sub { my ($environment, $report) = @_; ${body} });`,
    ...options,
  });

it("ends with the exit code of its child", async () => {
  expect(await run("exec 'sh', '-c', 'echo text; exit 7'")).toEqual({
    exitCode: 7,
    signal: null,
    stdout: "text\n",
    stderr: "",
  });
});

it.each([
  ["by the signal that its child reports", SIGTERM, SIGTERM, { exitCode: null, signal: "SIGTERM" }],
  ["with the code of a signal that nobody reports", 0, SIGTERM, { exitCode: 143, signal: null }],
  ["with the code where the report is another's", 9, SIGTERM, { exitCode: 143, signal: null }],
  ["with the code of a signal that stops", SIGSTOP, SIGSTOP, { exitCode: 147, signal: null }],
])("ends %s", async (_, reported, ended, expected) => {
  const body = `syswrite $report, chr(${reported}) if ${reported}; exit 128 + ${ended};`;
  expect(await run(body)).toMatchObject(expected);
});

it("passes variables of any length to its child, and has none itself", async () => {
  const long = "x".repeat(120_000);
  const body = `
    print length(join "", <$environment>), " ";
    open(my $memory, "<", "/proc/" . getppid() . "/environ");
    print scalar(grep { /\\w/ } <$memory>), " ", scalar keys %ENV;
    exit 0;`;
  const { stdout } = await run(body, {
    env: { V0: "/a", V1: "", V2: "", V3: `A=${long}`, V4: `B=${long}` },
  });
  expect(stdout).toBe(`${2 * (long.length + 2) + 1} 0 0`);
});

it("keeps keys of a terminal from ending it", async () => {
  expect((await run("kill $_ => getppid() for qw(INT QUIT TSTP); exit 4")).exitCode).toBe(4);
});

it("lets its child make no system call that the filter refuses", async () => {
  const body = `my $memfd_create = $settings->{machine} eq "arm64" ? 279 : 319;
    print syscall($memfd_create, my $name = "x", 0); exit 0`;
  expect((await run(body)).stdout).toBe("-1");
});

it("starts nothing for another process than its server", async () => {
  expect(await run("print 'started'; exit 0", { settings: { server: 1 } })).toMatchObject({
    exitCode: 1,
    stdout: "",
  });
});

it("ends with its server, which breaks the pipe of its child", async () => {
  const mark = `5${process.pid}`;
  const inner = createInnerSettings(false);
  const filter = createSystemCallFilter(inner.machine).toString("hex");
  const program = createPerlProgram({ ...inner, filter }, [
    memoryGroup,
    supervise,
    `$settings->{server} = getppid();
     supervise(sub {
       my ($environment, $report) = @_;
       $0 = "waiting ${mark}";
       my $ready = "";
       vec($ready, fileno $report, 1) = 1;
       select($ready, undef, undef, undef);
       exit;
     });`,
  ]);
  const server = spawn("sh", ["-c", '"$@" & wait', "sh", "perl", "-e", program], {
    stdio: "ignore",
  });
  await expect.poll(() => countProcesses(`waiting ${mark}`)).toBe(1);
  server.kill("SIGKILL");
  await once(server, "exit");
  await expect.poll(() => countProcesses(`waiting ${mark}`)).toBe(0);
});
