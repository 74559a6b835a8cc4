import { setTimeout } from "node:timers/promises";
import { requestJson, watchEvents } from "../peers/http-client.mjs";
import { measureCpuSeconds } from "./process-tree.mjs";
import { getMedian, getPercentile } from "./statistics.mjs";

const API = "/api/v1";
const P95 = 0.95;
/** How often the same request is measured. */
const REPEATS = 20;
/** About as many as another person makes during the searches, so that the longest ones can be compared. */
const QUIET_REPEATS = 300;
/** Enough for CPU time, which is counted in hundredths of a second. */
const WATCHERS = 90;
/** In this time the server notices that streams were closed, which count towards its limit until then. */
const CLOSED_MS = 500;
/** The database cleans up by itself at times, which a median leaves out. */
const WATCH_ROUNDS = 3;
/** In this time the server compares a part of the chats once, which it does every 30 s. */
const CHECKED_MS = 35_000;

/** Words of all frequencies: in the data set, the n-th word of the list is n times rarer than the first. */
const createWords = (vocabulary) => [
  ...[0, 1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 19_999].map((rank) => vocabulary[rank]),
  ...[100, 25_000, 250_000, 499_900].map((number) => `unique${number}`),
  "unique101",
  "zzzzzz",
  "qqq www",
  "terterter",
  "concon",
  "proqui",
  "xylophone",
  "a",
  "an",
  "zz",
  "%",
  "_",
  "\\",
  "'",
  "été",
  "漢字",
  "an ter ing",
  "x".repeat(200),
];

const getTime = async (run) => {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
};

const repeat = async (run, repeats = REPEATS) => {
  const times = [];
  for (let count = 0; count < repeats; count++) times.push(await getTime(run));
  return times;
};

/** Measures searches, and how long another person's requests take meanwhile. */
const measureSearches = async (get, vocabulary, otherPath) => {
  const searches = [];
  const others = [];
  let isRunning = true;
  const ask = async () => {
    while (isRunning) others.push(await getTime(() => get(otherPath)));
  };
  const asking = ask();
  for (const word of createWords(vocabulary)) {
    searches.push(await getTime(() => get(`/chats?q=${encodeURIComponent(word)}`)));
  }
  isRunning = false;
  await asking;
  return { searches, others };
};

/**
 * Opens streams of all chats one after another, and keeps them while the server compares its chats with them.
 * Each round measures the idle server first, whose own CPU time is subtracted.
 *
 * @returns of each stream, the kilobytes sent, and the milliseconds of CPU of connecting and of the comparisons
 */
const measureWatch = async ({ base, headers, roots }) => {
  const getCpu = async (run) => {
    const before = measureCpuSeconds(roots);
    const elapsed = await getTime(run);
    return { cpu: (measureCpuSeconds(roots) - before) * 1e3, elapsed };
  };
  const connect = async () => {
    const { promise, resolve, reject } = Promise.withResolvers();
    const onEnd = () => reject(new Error("the stream ended"));
    const stream = await watchEvents({ base, path: `${API}/watch`, headers }, resolve, onEnd);
    await promise;
    return stream;
  };
  const connectAll = async () => {
    const streams = [];
    for (let count = 0; count < WATCHERS; count++) streams.push(await connect());
    return streams;
  };
  const closeAll = async (streams) => {
    streams.forEach((stream) => stream.close());
    await setTimeout(CLOSED_MS);
  };
  const wait = () => setTimeout(CHECKED_MS);
  const rounds = [];
  for (let round = 0; round < WATCH_ROUNDS; round++) {
    const idle = await getCpu(wait);
    // After a rest, V8 compiles again and connections to the database are opened again.
    await closeAll(await connectAll());
    let streams = [];
    const connected = await getCpu(async () => (streams = await connectAll()));
    const checked = await getCpu(wait);
    const bytes = streams.reduce((sum, stream) => sum + stream.bytes(), 0);
    await closeAll(streams);
    const withoutIdle = ({ cpu, elapsed }) => cpu - (idle.cpu * elapsed) / idle.elapsed;
    rounds.push({
      kilobytes: bytes / WATCHERS / 1024,
      connectMs: withoutIdle(connected) / WATCHERS,
      checkedMs: withoutIdle(checked) / WATCHERS,
    });
  }
  const readMedian = (key) => getMedian(rounds.map((round) => round[key]));
  return {
    kilobytes: readMedian("kilobytes"),
    connectMs: readMedian("connectMs"),
    checkedMs: readMedian("checkedMs"),
  };
};

/**
 * Measures what grows with the data: 20,000 chats of one person with 500,000 messages.
 *
 * @param server its base, API key and process ids
 * @param data the words of the messages, most frequent first, and the chat with 5,000 messages
 * @returns {Promise<[title: string, value: number, unit: string, max?: number][]>}
 */
export const runLarge = async ({ base, apiKey, roots }, { vocabulary, longestChatId }) => {
  const headers = { authorization: `Bearer ${apiKey}` };
  const get = (path) => requestJson({ base, method: "GET", path: API + path, headers });
  const openPath = `/chats/${longestChatId}/open`;
  await get(openPath);
  const quiet = await repeat(() => get(`/chats/${longestChatId}`), QUIET_REPEATS);
  const { searches, others } = await measureSearches(get, vocabulary, `/chats/${longestChatId}`);
  const opened = Buffer.byteLength(JSON.stringify(await get(openPath))) / 1024;
  const watch = await measureWatch({ base, headers, roots });
  return [
    ["search, p95", getPercentile(searches, P95), "ms", 150],
    ["search, longest", Math.max(...searches), "ms"],
    ["another request, alone, p95", getPercentile(quiet, P95), "ms"],
    ["another request, alone, longest", Math.max(...quiet), "ms"],
    ["another request during searches, p95", getPercentile(others, P95), "ms"],
    ["another request during searches, longest", Math.max(...others), "ms"],
    ["list of chats, median", getMedian(await repeat(() => get("/chats"))), "ms"],
    [
      "opening a chat of 5,000 messages, median",
      getMedian(await repeat(() => get(openPath))),
      "ms",
    ],
    ["opening a chat of 5,000 messages", opened, "KB"],
    ["a stream of all chats, sent", watch.kilobytes, "KB", 60],
    ["a stream of all chats, CPU of connecting", watch.connectMs, "ms", 2],
    ["a stream of all chats, CPU in 35 s", watch.checkedMs, "ms", 2],
  ];
};
