import type { CDPSession, Page } from "@playwright/test";

const REFERENCE_TEXTS = 24_000;
const REFERENCE_RUNS = 9;

type TraceEvent = {
  name: string;
  pid: number;
  tid: number;
  /** Start, in microseconds. */
  ts: number;
  /** Time, in microseconds. */
  dur?: number;
  /** CPU time, in microseconds. */
  tdur?: number;
  args?: { name?: string };
};

/**
 * Measures the tasks of a page's main thread in CPU time, to which other programs do not add. Without the collections of
 * the whole heap: V8 puts one into whichever task runs when it is due.
 *
 * @returns ms, longest first.
 */
export const traceTasks = async (
  session: CDPSession,
  body: () => Promise<unknown>,
): Promise<number[]> => {
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
  const ofMain = events.filter((event) => main.has(toThread(event)));
  const collections = ofMain.filter(({ name }) => name === "MajorGC");
  return ofMain
    .filter(({ name }) => name.endsWith("RunTask"))
    .map((task) => {
      const inTask = collections.filter(
        (event) => toThread(event) === toThread(task) && isDuring(task, event),
      );
      return (toCpu(task) - inTask.reduce((sum, event) => sum + toCpu(event), 0)) / 1_000;
    })
    .sort((a, b) => b - a);
};

const toCpu = ({ tdur = 0 }: TraceEvent): number => tdur;

const isDuring = ({ ts, dur = 0 }: TraceEvent, event: TraceEvent): boolean =>
  event.ts >= ts && event.ts < ts + dur;

/** Measures the same work as `measureReferenceMs` of the unit tests. @returns ms of CPU. */
export const measureReference = async (session: CDPSession, page: Page): Promise<number> => {
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
