import { expect, test } from "../fixtures";
import { describeValues, median, ROUNDS } from "../medians";
import { ATTACKS, parkAttack, SLOPPY_CHAT } from "./attacks";

/** Longest time that another request may take meanwhile: without a thread of its own, an attack took 6 to 10 s. */
const MAX_WAIT_MS = 1_000;

/**
 * Sends small requests, one after another, while something else is done.
 *
 * @returns the longest time that one of them took.
 */
const measureOthers = async (url: string, work: Promise<unknown>): Promise<number> => {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  let longest = 0;
  do {
    const started = performance.now();
    const response = await fetch(`${url}/healthz`);
    await response.arrayBuffer();
    longest = Math.max(longest, performance.now() - started);
  } while (!isDone);
  await done;
  return longest;
};

test("requests that attack by schemas hold no other requests up", async ({ api, server }) => {
  test.setTimeout(600_000);
  const waits = new Map<string, number[]>();
  const measure = async (what: string, work: Promise<unknown>): Promise<void> => {
    const longest = await measureOthers(server.url, work);
    waits.set(what, [...(waits.get(what) ?? []), longest]);
  };
  for (let round = 0; round < ROUNDS; round++) {
    await measure("a new chat without an attack", api.createChat({ content: "write 3 words" }));
    await measure("a new chat with such tools", api.createChat(SLOPPY_CHAT));
    for (const attack of ATTACKS) {
      const { id, results } = await parkAttack(api, attack);
      await measure(attack.what, api.submit(id, results));
    }
  }
  for (const [what, longest] of waits) {
    console.log(`${what}: others wait at most ${describeValues(longest)} ms`);
    expect(median(longest), what).toBeLessThan(MAX_WAIT_MS);
  }
});
