import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MAX_BLOCKING, measureBlocking } from "@/test/event-loop";
import { createExecFixture, type ExecFixture } from "@/test/exec-fixture";
import { measureRequests, percentile } from "@/test/others-wait";

let fixture: ExecFixture;
beforeAll(async () => {
  fixture = await createExecFixture();
});
afterAll(() => fixture.sessions.endAll());

const perl = (program: string): string => `perl -e '$| = 1; ${program}'`;

const HOSTILE: [what: string, command: string][] = [
  ["scrolls as often as a sequence can say", `printf '\\033[1500000T\\033[2147483647T'`],
  ["scrolls without an end", perl(`print "\\033[2147483647T" x 100 for 1 .. 5000`)],
  ["inserts lines without an end", perl(`print "\\033[2147483647L" x 100 for 1 .. 5000`)],
  ["repeats a letter without an end", perl(`print "a\\033[2147483647b" x 100 for 1 .. 500`)],
  ["goes to tabs without an end", perl(`print "\\033[2147483647I\\r" x 100 for 1 .. 5000`)],
  ["changes the size", perl(`print "\\033[8;200;500t\\033[8;5;20t" x 10 for 1 .. 5000`)],
  ["asks where the cursor is, and reads nothing", perl(`print "\\033[6n" x 100 for 1 .. 5000`)],
  ["links each letter", perl(`print "\\033]8;;http://a/$_\\033\\\\\\\\a\\r" for 1 .. 200000`)],
  ["prints 200 MB", "yes | head -c 200M"],
  [
    "fills the largest screen with colors",
    perl(
      `print "\\033[8;200;500t"; for (1 .. 1500000) { print "\\033[48;2;", $_ % 255, ";2;3mx" }`,
    ),
  ],
];

it.each(HOSTILE)(
  "blocks the server no longer than other work when a command %s",
  async (_what, command) => {
    const blocked = await measureBlocking(() =>
      fixture.exec({ action: "run", command, pty: true, timeout: 20 }),
    );
    process.stdout.write(`blocked for ${blocked.toFixed(2)} of the reference\n`);
    expect(blocked).toBeLessThan(MAX_BLOCKING);
  },
);

const AT_ONCE = 8;
const ATTACK_SECONDS = 20;
/** Both take all of two processors; drawn in the server's thread, a letter that repeats took minutes. */
const MAX_WAITING = 4;

it("another client waits no longer for eight hostile terminals than for eight that print text", async () => {
  const server = createServer((_, response) => response.end("here"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const request = async (): Promise<void> =>
    void (await (await fetch(`http://127.0.0.1:${port}`)).text());
  const measure = async (commands: string[]): Promise<number> => {
    let left = commands.length;
    const runs = commands.map(async (command) => {
      const result = await fixture.exec({
        action: "run",
        command: `while :; do ${command}; done`,
        pty: true,
        timeout: ATTACK_SECONDS,
      });
      expect(result.status).toBe("timed_out");
      left -= 1;
    });
    const times = await measureRequests(request, () => left === 0);
    await Promise.all(runs);
    return percentile(times, 0.99);
  };
  let left = 500;
  const quiet = percentile(await measureRequests(request, () => (left -= 1) < 0), 0.99);
  const plain = await measure(Array.from({ length: AT_ONCE }, () => "seq 1000000"));
  const hostile = await measure(HOSTILE.slice(0, AT_ONCE).map(([, command]) => command));
  process.stdout.write(
    `p99: ${hostile.toFixed(1)} ms, with text ${plain.toFixed(1)} ms, with none ${quiet.toFixed(1)} ms\n`,
  );
  expect(hostile / plain).toBeLessThan(MAX_WAITING);
  server.close();
});
