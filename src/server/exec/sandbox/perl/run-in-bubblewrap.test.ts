import { text } from "node:stream/consumers";
import type { Duplex } from "node:stream";
import { expect, it } from "vitest";
import { readPerl, startPerl } from "@/test/run-perl";
import forwardProxy from "./forward-proxy.pl?raw";
import namespaces from "./namespaces.pl?raw";
import runCommand from "./run-command.pl?raw";
import runInBubblewrap from "./run-in-bubblewrap.pl?raw";

it("runs a command with the input, the variables and the pipe for the signal that it was passed", async () => {
  const child = startPerl({
    files: [namespaces, forwardProxy, runCommand, runInBubblewrap],
    settings: { firstDescriptor: 2, ownSettings: [], limits: [] },
    args: ["/usr", "/bin/sh", "-c", 'cat; echo "$A"; pwd; kill -TERM $$'],
    stdio: ["ignore", "pipe", "pipe", "pipe", "pipe", "pipe"],
  });
  const [input, variables, reports] = child.stdio.slice(3) as Duplex[];
  if (!input || !variables || !reports) throw new Error("the program has no pipes");
  input.end("input\n");
  variables.end("A=text");
  const [outcome, report] = await Promise.all([readPerl(child), text(reports)]);
  expect(outcome).toEqual({
    exitCode: 143,
    signal: null,
    stdout: "input\ntext\n/usr\n",
    stderr: "",
  });
  expect(report).toBe("\u000f");
});
