import { requestJson } from "../peers/http-client.mjs";
import { openEmbedded, openOnPostgres } from "../systems.mjs";
import { getMedian, getPercentile } from "./statistics.mjs";

/** The chats that have agents, and the agents of each, which all run at the same time. */
const ROOTS = 40;
const AGENTS_EACH = 5;
const CHATS = ROOTS * AGENTS_EACH;
const TOKENS = 200;
/** Starts of each kind in a round, by turns. */
const STARTS = 15;
/** Rounds differ by a fifth: V8 collects garbage in some, and PostgreSQL writes its checkpoints. */
const MIN_ROUNDS = 15;
const POLL_MS = 5;
const TIMEOUT_MS = 120_000;

const readClock = () => performance.timeOrigin + performance.now();

/** Repeats a request until its result is defined. */
const poll = async (read) => {
  for (const startedAt = readClock(); readClock() - startedAt < TIMEOUT_MS;) {
    const value = await read();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error("an agent or a chat did not end");
};

const createClient = ({ base, apiKey, providerUrl }) => {
  const headers = { authorization: `Bearer ${apiKey}` };
  /** Adds up a counter, over the labels that contain a text. */
  const count = async (metric, label) => {
    const response = await fetch(`${base}/metrics`);
    const lines = (await response.text()).split("\n");
    const counted = lines.filter((line) => line.startsWith(`${metric}{`) && line.includes(label));
    return counted.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
  };
  return {
    // A report that begins a turn would be more work than a chat without agents has.
    createChat: (text, { wakes = false } = {}) =>
      requestJson({
        base,
        headers,
        method: "POST",
        path: "/api/v1/chats",
        body: { content: [{ type: "text", text }], wake_on_reports: wakes },
      }),
    listTasks: async ({ id }) =>
      (await requestJson({ base, headers, method: "GET", path: `/api/v1/chats/${id}/tasks` })).data,
    countTurns: () => count("parley_turns_total", ""),
    countAgents: () => count("parley_task_ends_total", 'state="completed"'),
    /** How many answers the provider has ended. */
    countAnswers: async () => Number(await (await fetch(`${providerUrl}/answers`)).text()),
    /** The earliest time of some marks. */
    readMark: async (...marks) => {
      const times = await (await fetch(`${providerUrl}/marks`)).json();
      return Math.min(...marks.map((mark) => times[mark]));
    },
  };
};

const toPrompt = (directives) =>
  `hi ${Object.entries(directives)
    .map(([name, value]) => `@@${name}=${value}@@`)
    .join(" ")}`;

/** The prompt of a chat that starts agents; `mark` is where they note that they have begun. */
const toRootPrompt = ({ calls, mark }) =>
  toPrompt({
    tokens: 1,
    tool: "spawn_agent",
    calls,
    mark: `${mark}-call`,
    agent: `hi [tokens=${TOKENS}] [mark=${mark}]`,
  });

/**
 * Runs what begins turns, and waits until they have ended. The server is asked for that only when the provider has
 * answered, as asking costs it as much as some of the answers.
 */
const runUntilEnded = async (client, { start, answers, hasEnded }) => {
  const before = await client.countAnswers();
  await start();
  await poll(async () => ((await client.countAnswers()) >= before + answers ? true : undefined));
  await poll(async () => ((await hasEnded()) ? true : undefined));
};

/** Measures from the request to a new chat to the request of its first token. */
const measureChatStart = async (client, mark) => {
  const turns = await client.countTurns();
  let sentAt;
  await runUntilEnded(client, {
    start: () => {
      sentAt = readClock();
      return client.createChat(toPrompt({ tokens: TOKENS, mark }));
    },
    answers: 1,
    hasEnded: async () => (await client.countTurns()) > turns,
  });
  return (await client.readMark(mark)) - sentAt;
};

/** Measures from the answer that calls `spawn_agent` to the request of the agent's first token. */
const measureAgentStart = async (client, mark) => {
  const [turns, agents] = [await client.countTurns(), await client.countAgents()];
  await runUntilEnded(client, {
    start: () => client.createChat(toRootPrompt({ calls: 1, mark })),
    // Two steps of the chat, and one of the agent.
    answers: 3,
    hasEnded: async () =>
      (await client.countAgents()) > agents && (await client.countTurns()) >= turns + 2,
  });
  return (await client.readMark(mark)) - (await client.readMark(`${mark}-call`));
};

/** Creates chats with these prompts, and waits for as many ends as there are plain chats. */
const runMany = async (client, { prompts, answers, count }) => {
  const before = await count();
  const startedAt = readClock();
  await runUntilEnded(client, {
    start: () => Promise.all(prompts.map((prompt) => client.createChat(prompt))),
    answers,
    hasEnded: async () => (await count()) >= before + CHATS,
  });
  return { startedAt, endedAt: readClock() };
};

const measureChats = async (client) => {
  const prompts = Array.from({ length: CHATS }, () => toPrompt({ tokens: TOKENS }));
  const { startedAt, endedAt } = await runMany(client, {
    prompts,
    answers: CHATS,
    count: client.countTurns,
  });
  return endedAt - startedAt;
};

/**
 * Measures until all agents have ended: from the first request to a new chat, with the two steps that each of the chats
 * has itself, and from the request of the first token of an agent.
 */
const measureAgents = async (client, round) => {
  const marks = Array.from({ length: ROOTS }, (_, index) => `agents-${round}-${index}`);
  const prompts = marks.map((mark) => toRootPrompt({ calls: AGENTS_EACH, mark }));
  const { startedAt, endedAt } = await runMany(client, {
    // The chats themselves take two steps.
    prompts,
    answers: CHATS + 2 * ROOTS,
    count: client.countAgents,
  });
  return {
    withRoots: endedAt - startedAt,
    agents: endedAt - (await client.readMark(...marks)),
  };
};

/** Measures from the end of each agent until its report is in the history of its chat, which it wakes. */
const measureDelivery = async (client) => {
  const prompt = toPrompt({
    tokens: 1,
    tool: "spawn_agent",
    calls: AGENTS_EACH,
    agent: `hi [tokens=${TOKENS}]`,
  });
  const before = await client.countAgents();
  const chats = await Promise.all(
    Array.from({ length: ROOTS }, () => client.createChat(prompt, { wakes: true })),
  );
  await poll(async () => ((await client.countAgents()) >= before + CHATS ? true : undefined));
  const delays = await Promise.all(
    chats.map((chat) =>
      poll(async () => {
        const tasks = await client.listTasks(chat);
        return tasks.every(({ delivered_at: deliveredAt }) => deliveredAt !== null)
          ? tasks.map((task) => Date.parse(task.delivered_at) - Date.parse(task.ended_at))
          : undefined;
      }),
    ),
  );
  return getPercentile(delays.flat(), 0.95);
};

const runRound = async (client, round) => {
  const starts = { chat: [], agent: [] };
  for (let index = 0; index < STARTS; index++) {
    starts.chat.push(await measureChatStart(client, `chat-${round}-${index}`));
    starts.agent.push(await measureAgentStart(client, `agent-${round}-${index}`));
  }
  return {
    chatStart: getMedian(starts.chat),
    agentStart: getMedian(starts.agent),
    chats: await measureChats(client),
    ...(await measureAgents(client, round)),
    delivery: await measureDelivery(client),
  };
};

const describe = (name, rounds) => {
  const median = (figure) => getMedian(rounds.map(figure));
  const compare = (title, { value, baseline, max, of }) =>
    `${title}: ${median(value).toFixed(1)} ms, ${of} ${median(baseline).toFixed(1)} ms, × ${median((round) => value(round) / baseline(round)).toFixed(2)}${max === undefined ? "" : ` (at most ${max})`}`;
  return [
    `${name}:`,
    compare("from the call to the first token of an agent", {
      value: ({ agentStart }) => agentStart,
      baseline: ({ chatStart }) => chatStart,
      max: 1.5,
      of: "of a new chat",
    }),
    compare(`${CHATS} agents of ${ROOTS} chats, from the first request to these`, {
      value: ({ withRoots }) => withRoots,
      baseline: ({ chats }) => chats,
      max: 1.3,
      of: `${CHATS} plain chats`,
    }),
    compare("the same from the first token request of an agent, for comparison", {
      value: ({ agents }) => agents,
      baseline: ({ chats }) => chats,
      of: `${CHATS} plain chats`,
    }),
    `from the end of an agent until its report is in its chat, p95 of ${CHATS}: ${median(({ delivery }) => delivery).toFixed(1)} ms (at most 300)`,
  ].join("\n");
};

/**
 * Measures starts and ends of agents, and those of plain chats with the same answers, by turns.
 *
 * @returns {Promise<string>}
 */
export const runAgents = async (open, provider, { repeat, ...options }) => {
  const openings = [
    ...(options.postgres ? [openOnPostgres] : []),
    ...(options.embedded ? [openEmbedded] : []),
  ];
  const reports = [];
  for (const openSystem of openings) {
    const settings = { histories: false, nodeOptions: options.nodeOptions };
    const { peer, server } = await openSystem(open, provider, settings);
    const client = createClient({ ...server, providerUrl: provider.base });
    const rounds = [];
    // The first round warms up.
    for (let round = 0; round <= Math.max(repeat, MIN_ROUNDS); round++) {
      rounds.push(await runRound(client, round));
      const text = Object.entries(rounds.at(-1)).map(([key, ms]) => `${key} ${ms.toFixed(1)}`);
      console.error(`${peer.name}: ${text.join(", ")}`);
    }
    reports.push(describe(peer.name, rounds.slice(1)));
  }
  return reports.join("\n\n");
};
