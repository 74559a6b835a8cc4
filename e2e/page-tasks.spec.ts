import type { CDPSession, Page } from "@playwright/test";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";

const TURN_TIMEOUT_MS = 25_000;
/** What a task of the page may take: 50 ms where the reference takes 10 ms. */
const MAX_REFERENCES = 5;
const REFERENCE_TEXTS = 24_000;
const REFERENCE_RUNS = 9;

type TraceEvent = {
  name: string;
  pid: number;
  tid: number;
  tdur?: number;
  args?: { name?: string };
};

/** Measures the tasks of a page's main thread in CPU time, to which other programs do not add. @returns ms, longest first. */
const traceTasks = async (session: CDPSession, body: () => Promise<unknown>): Promise<number[]> => {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: unknown[] }) => events.push(...(value as TraceEvent[]));
  session.on("Tracing.dataCollected", collect);
  const completed = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  const includedCategories = ["toplevel", "devtools.timeline"];
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories },
  });
  await body();
  await session.send("Tracing.end");
  await completed;
  session.off("Tracing.dataCollected", collect);
  const toThread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const isMain = ({ name, args }: TraceEvent) =>
    name === "thread_name" && args?.name === "CrRendererMain";
  const main = new Set(events.filter(isMain).map(toThread));
  return events
    .filter((event) => event.name.endsWith("RunTask") && main.has(toThread(event)))
    .map(({ tdur = 0 }) => tdur / 1_000)
    .sort((a, b) => b - a);
};

/** Measures the same work as `measureReferenceMs` of the unit tests. */
const measureReference = async (session: CDPSession, page: Page): Promise<number> => {
  const tasks = await traceTasks(session, async () => {
    for (let run = 0; run < REFERENCE_RUNS; run++) {
      await page.evaluate((count) => {
        const texts = Array.from({ length: count }, (_, at) => `${(at * 7_919) % count} tide`);
        return (JSON.parse(JSON.stringify(texts.sort())) as string[]).join("").length;
      }, REFERENCE_TEXTS);
    }
  });
  return tasks[Math.floor(REFERENCE_RUNS / 2)] ?? 0;
};

test("a page has no long task while a command writes 10 MB in colors", async ({
  page,
  api,
}, testInfo) => {
  const session = await page.context().newCDPSession(page);
  const { id } = await api.createChat({ content: "Hello" });
  await api.waitForStatus(id, TURN_TIMEOUT_MS);
  const { openChat, sendMessage, answers, log } = chatPage(page);
  await openChat(id);
  await expect(answers).toHaveCount(1);
  const referenceMs = await measureReference(session, page);
  const colors = String.raw`yes "$(printf '\033[31mlow \033[32mtide\033[0m')"`;
  const command = `${colors} | head -c 10000000; echo; echo the end`;
  const tasks = await traceTasks(session, async () => {
    await sendMessage(`use exec with ${JSON.stringify({ action: "run", command })}`);
    await expect(answers.last()).toContainText("The tool has answered");
    await expect(log.getByText("the end").last()).toBeAttached();
  });
  const longest = tasks.slice(0, 5).map((ms) => ms.toFixed(1));
  testInfo.annotations.push({
    type: "longest tasks",
    description: `${longest.join(", ")} ms of CPU; the reference takes ${referenceMs.toFixed(1)} ms`,
  });
  expect(referenceMs).toBeGreaterThan(0);
  expect(tasks[0]).toBeLessThan(MAX_REFERENCES * referenceMs);
});
