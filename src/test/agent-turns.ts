import { v7 as newId } from "uuid";
import { endAgents } from "@/server/agents/end-agents";
import { createArtifactDeps } from "@/server/app/artifact-deps";
import { sendMessage } from "@/server/chat/send-message";
import { type AgentRow, listAgents } from "@/server/db/tasks/agent-reads";
import type { ToolCallPartRow } from "@/server/db/chats/rows";
import { claimChats } from "@/server/db/sql/machine/claim";
import { toTextContent } from "./chat-fixture";
import { finishPart, type ScriptedStep, toolCallParts, textStep } from "./scripted-model";
import { recordedDeps } from "./tool-fixture";
import { createTurnFixture, type TurnFixture, type TurnSetup } from "./turn-fixture";

// A chat whose scripted model starts agents, and turns of these agents on the same model.

export type Call = { id: string; name: string; args: object };

/** A step with these calls. */
export const calls = (...list: Call[]): ScriptedStep => [
  ...list.flatMap(({ id, name, args }) => toolCallParts(id, name, args)),
  finishPart("tool-calls"),
];

export const spawn = (id: string, more: object = {}): Call => ({
  id,
  name: "spawn_agent",
  args: { prompt: `Work on ${id}.`, title: id, ...more },
});

export const wait = (ids: string[], more: object = {}): Call => ({
  id: "wait",
  name: "wait_agent",
  args: { chat_ids: ids, ...more },
});

export const getAgents = ({ ctx, chatId }: TurnFixture): Promise<AgentRow[]> =>
  listAgents(ctx.db, chatId);

export const agentNamed = async (fixture: TurnFixture, title: string): Promise<AgentRow> => {
  const agent = (await getAgents(fixture)).find((each) => each.title === title);
  if (!agent) throw new Error(`there is no agent ${title}`);
  return agent;
};

/** Runs one turn of an agent, as a worker does, and brings its end to the root chat. */
export const runAgent = async (fixture: TurnFixture, title: string): Promise<void> => {
  const { id } = await agentNamed(fixture, title);
  await work(fixture, id);
  await end(fixture, id);
};

/** The worker of the root chat has claimed its agents, too. */
const END_LEASE = {
  name: "test-end-agent-lease",
  text: `UPDATE chat SET lease_expires_at = now() - interval '1 second' WHERE id = $1::uuid AND lease_token IS NOT NULL`,
};

/** Runs one turn of an agent. */
export const work = async (
  fixture: TurnFixture,
  agentId: string,
  changes: Parameters<TurnFixture["run"]>[0] = {},
): Promise<void> => {
  const { db } = fixture.ctx;
  await db.query(END_LEASE, [agentId]);
  const claimed = await claimChats(db, { owner: "test", limit: 10_000 });
  const agent = claimed.find(({ id }) => id === agentId);
  if (!agent) throw new Error("the agent could not be claimed");
  await fixture.run(changes, agent);
};

/** Brings the end of an agent to the root chat. */
export const end = async (fixture: TurnFixture, agentId: string): Promise<void> => {
  const { ctx, agentLimits } = fixture;
  const { db } = ctx;
  const { saveArtifact } = createArtifactDeps({ db, newId });
  const { log } = recordedDeps().deps.step;
  await endAgents({ db, newId, saveArtifact, agentLimits, log }, [agentId]);
};

export const getCalls = async (fixture: TurnFixture): Promise<ToolCallPartRow[]> =>
  (await fixture.history()).flatMap(({ parts }) =>
    parts.filter((part) => part.type === "tool_call"),
  );

export const callNamed = async (fixture: TurnFixture, id: string): Promise<ToolCallPartRow> => {
  const call = (await getCalls(fixture)).find(({ toolCallId }) => toolCallId === id);
  if (!call) throw new Error(`there is no call ${id}`);
  return call;
};

export const lastPrompt = (fixture: TurnFixture): string =>
  JSON.stringify(fixture.model.requests.at(-1)?.prompt);

export const say = async ({ ctx, chatId }: TurnFixture, text: string): Promise<void> => {
  await sendMessage(ctx, { chatId, content: toTextContent(text), busyBehavior: "queue" });
};

/** Starts agents with these titles, lets the turn end, and gives a turn with more steps. */
export const withAgents = async (
  titles: string[],
  more: (ids: string[]) => ScriptedStep[],
  setup: Partial<TurnSetup> = {},
): Promise<TurnFixture> => {
  const ids: string[] = [];
  const later: ScriptedStep[] = Array.from({ length: 12 }, (_, index) => () => {
    const step = more(ids)[index];
    if (!step) throw new Error("the model has no more steps");
    return step;
  });
  const fixture = await createTurnFixture({
    ...setup,
    steps: [calls(...titles.map((title) => spawn(title))), textStep("They work."), ...later],
  });
  await fixture.run();
  for (const title of titles) ids.push((await agentNamed(fixture, title)).id);
  return fixture;
};

/** A chat that waits for its agents. */
export const waiting = async (
  titles: string[],
  after: ScriptedStep[],
  more: (ids: string[]) => object = () => ({}),
): Promise<TurnFixture> => {
  const fixture = await withAgents(titles, (ids) => [calls(wait(ids, more(ids))), ...after]);
  await say(fixture, "Wait for them.");
  await fixture.run();
  return fixture;
};
