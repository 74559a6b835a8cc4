import { expect, test } from "../fixtures";
import { describeValues, median, ROUNDS } from "../medians";
import { createHostileChat, HOSTILE_ANSWERS } from "./hostile-answers";

/** How much longer others may wait than while a page without an answer is loaded. */
const MAX_RATIO = 5;

test("a page with a hostile answer holds no other requests up", async ({ page, api, server }) => {
  test.setTimeout(600_000);
  const measure = async (path: string): Promise<number> => {
    let isDone = false;
    const loaded = page.goto(path).finally(() => (isDone = true));
    let longest = 0;
    do {
      const started = performance.now();
      await (await fetch(`${server.url}/healthz`)).arrayBuffer();
      longest = Math.max(longest, performance.now() - started);
    } while (!isDone);
    await loaded;
    return longest;
  };
  const plain = await api.createChat({ content: "write 300 words" });
  await api.waitForStatus(plain.id);
  for (const [index, answer] of HOSTILE_ANSWERS.entries()) {
    const id = await createHostileChat(api, answer);
    const without: number[] = [];
    const during: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      without.push(await measure(`/chats/${plain.id}`));
      during.push(await measure(`/chats/${id}`));
    }
    console.log(
      `answer ${index}: others wait ${describeValues(during)} ms, else ${describeValues(without)} ms`,
    );
    expect(median(during) / median(without)).toBeLessThan(MAX_RATIO);
  }
});
