import { expect, it } from "vitest";
import { readPerl, startPerl, type PerlRun } from "@/test/run-perl";
import giveToCommands from "./give-to-commands.pl?raw";
import startBubblewrap from "./start-bubblewrap.pl?raw";
import supervise from "./supervise.pl?raw";

/** Starts a shell in place of bubblewrap. */
const start = (script: string, stdio: PerlRun["stdio"]) =>
  startPerl({
    files: [supervise, giveToCommands, startBubblewrap],
    settings: {
      firstDescriptor: 6,
      ownSettings: [
        { path: "/etc/one", text: "one\n" },
        { path: "/etc/two", text: "two\n" },
      ],
    },
    args: ["/workspace", "", "/bin/sh", "-c", script],
    env: { V0: "A=1", V1: "B=2" },
    ...(stdio && { stdio }),
  });

it("passes own settings, the input, the variables and the pipe for the signal", async () => {
  const child = start(
    "cat <&6; cat <&7; cat <&8; tr '\\0' ' ' <&9; env | grep -c '^[AV]'; cat; printf '\\017' >/proc/self/fd/10; exit 143",
    ["pipe", "pipe", "pipe"],
  );
  child.stdin?.end("input\n");
  expect(await readPerl(child)).toEqual({
    exitCode: null,
    signal: "SIGTERM",
    stdout: "one\ntwo\ninput\nA=1 B=20\n",
    stderr: "",
  });
});

it("does not start it when a descriptor has another number", async () => {
  const child = start("echo started", ["ignore", "pipe", "pipe", "pipe"]);
  expect(await readPerl(child)).toMatchObject({
    stdout: "",
    stderr: "The server left a file open.\n",
  });
});
