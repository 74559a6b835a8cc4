import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SANDBOX_PROXY } from "@/server/exec/sandbox/proxy-variables";
import { readPerl, startPerl, type PerlRun } from "@/test/run-perl";
import giveToCommands from "./give-to-commands.pl?raw";
import startBubblewrap from "./start-bubblewrap.pl?raw";
import memoryGroup from "./memory-group.pl?raw";
import supervise from "./supervise.pl?raw";

type Start = { stdio: NonNullable<PerlRun["stdio"]>; places?: string[]; network?: string };

/** Runs its arguments after the first three in place of bubblewrap. */
const BUBBLEWRAP = `#!/bin/sh\nshift 3\nexec "$@"\n`;
let program: string;
beforeAll(async () => {
  program = path.join(await mkdtemp(path.join(tmpdir(), "parley-start-")), "bwrap");
  await writeFile(program, BUBBLEWRAP, { mode: 0o755 });
});
afterAll(() => rm(path.dirname(program), { recursive: true }));

const start = (script: string, { stdio, places = ["/workspace", "", ""], network = "" }: Start) =>
  startPerl({
    files: [memoryGroup, supervise, giveToCommands, startBubblewrap],
    settings: {
      firstDescriptor: 32,
      bubblewrap: program,
      options: ["--option"],
      withNetwork: ["--network"],
      ownSettings: [
        { path: "/etc/one", text: "one\n" },
        { path: "/etc/two", text: "two\n" },
      ],
    },
    args: [network, "/bin/bash", "-c", script],
    env: Object.fromEntries([...places, "A=1", "B=2"].map((text, index) => [`V${index}`, text])),
    stdio,
  });

it("passes own settings, the input, the variables and the pipe for the signal", async () => {
  const child = start(
    "cat <&33; cat <&34; cat <&35; tr '\\0' ' ' <&36; env | grep -c '^[AV]'; cat; printf '\\017' >&37; exit 143",
    { stdio: ["pipe", "pipe", "pipe"] },
  );
  child.stdin?.end("input\n");
  expect(await readPerl(child)).toEqual({
    exitCode: null,
    signal: "SIGTERM",
    stdout: "one\ntwo\ninput\nA=1 B=20\n",
    stderr: "",
  });
});

it.each([
  ["the workspace", {}, ["--unshare-net", "--bind", "/workspace", "/workspace"]],
  [
    "a second directory, a proxy and the network",
    { places: ["/a", "/b", "/c"], network: "1" },
    [
      "--network",
      "--bind",
      "/a",
      "/workspace",
      "--bind",
      "/b",
      "/call",
      "--ro-bind",
      "/c",
      SANDBOX_PROXY.path,
    ],
  ],
])("passes %s as options that no list of processes shows", async (_, command, options) => {
  const script = "tr '\\0' ' ' <&32; echo; tr '\\0' ' ' </proc/$PPID/cmdline";
  const child = start(script, { ...command, stdio: ["ignore", "pipe", "pipe", "pipe"] });
  const [passed, shown] = (await readPerl(child)).stdout.split("\n");
  expect(passed).toBe(["--option", ...options, "--remount-ro", "/"].join(" "));
  expect(shown).toMatch(/^perl -e /);
  expect(shown).not.toContain("--bind /");
});

it("passes no other descriptor, not even one that the server inherited", async () => {
  const child = start("cd /proc/self/fd; for file in *; do [ -e $file ] && echo $file; done", {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const [...numbers] = (await readPerl(child)).stdout.trim().split("\n");
  expect(numbers).toEqual(["0", "1", "2", "32", "33", "34", "35", "36", "37"]);
});
