import { beforeAll, describe, expect, it } from "vitest";
import { v7 as newId } from "uuid";
import * as z from "zod";
import { AwaitedAgents } from "@/contract/agent";
import { promoteQueued } from "@/server/chat/change-queue";
import { createArtifactDeps } from "@/server/app/artifact-deps";
import { decideApprovals } from "@/server/chat/decide-approvals";
import { sendMessage } from "@/server/chat/send-message";
import { toToolChat } from "@/server/turn/turn-tools";
import type { Database } from "@/server/db/connection/database";
import { appMetrics } from "@/server/metrics/app-metrics";
import { defineTool } from "@/server/tools/tool";
import { artifactResult, userResult, withResponseHandled } from "@/server/tools/tool-result";
import {
  agentNamed,
  callNamed,
  calls,
  end,
  lastPrompt,
  runAgent,
  say,
  wait,
  withAgents,
  work,
} from "@/test/agent-turns";
import { toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { type ScriptedStep, textStep } from "@/test/scripted-model";
import { recordedDeps } from "@/test/tool-fixture";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

/** A file that a person must allow. */
const PRIVATE = "private.csv";

/** A tool that makes files. */
const makeTool = defineTool({
  name: "make_files",
  description: "Makes files.",
  input: z.object({ names: z.array(z.string()) }),
  needsApproval: ({ names }) => names.includes(PRIVATE),
  run: async (context, { names }) => {
    const { saveArtifact } = createArtifactDeps({ db, newId });
    const files = names.map((name) =>
      saveArtifact(context, { name, mediaType: "text/csv", bytes: new Uint8Array([1, 2]) }),
    );
    return artifactResult("Made.", await Promise.all(files));
  },
});

const make = (...names: string[]): ScriptedStep =>
  calls({ id: newId(), name: "make_files", args: { names } });

const withFiles = (more: (ids: string[]) => ScriptedStep[]): Promise<TurnFixture> =>
  withAgents(["one"], more, { tools: [makeTool] });

const getReport = async (fixture: TurnFixture) => {
  const parts = (await fixture.history()).flatMap((message) => message.parts);
  const report = parts.findLast((part) => part.type === "report");
  if (!report) throw new Error("there is no report");
  return report.data;
};

describe("the report of an agent", () => {
  it("has the files that its calls have made, for the person and the model, and names its chat", async () => {
    const fixture = await withFiles(() => [
      make("a.csv"),
      make("b.csv"),
      textStep("See the files."),
      textStep("Thanks."),
    ]);
    await runAgent(fixture, "one");
    await fixture.run();
    const report = await getReport(fixture);
    expect(report).toMatchObject({
      state: "completed",
      tool_call_id: "one",
      output: "See the files.",
      agent_chat_id: (await agentNamed(fixture, "one")).id,
      artifacts: [{ name: "a.csv", media_type: "text/csv", size: 2 }, { name: "b.csv" }],
    });
    // The model can read and deliver them, as the files of a chat are those of its agents.
    expect(lastPrompt(fixture)).toContain(report.artifacts[1]?.id);
    expect(lastPrompt(fixture)).toContain(report.agent_chat_id);
    const { openArtifact } = createArtifactDeps({ db, newId });
    const chat = { ...recordedDeps().deps.step, ...toToolChat(await fixture.chat()) };
    const opened = await openArtifact(chat, report.artifacts[1]?.id ?? "");
    expect(opened).toMatchObject({ name: "b.csv" });
  });

  it("has them too when the agent fails", async () => {
    const fixture = await withFiles(() => [make("a.csv"), { throws: new Error("no such model") }]);
    await runAgent(fixture, "one");
    expect((await agentNamed(fixture, "one")).task).toMatchObject({
      state: "failed",
      report: { artifacts: [{ name: "a.csv" }] },
    });
  });

  it("comes from an agent of which a person has rejected a call", async () => {
    const fixture = await withFiles(() => [
      calls(
        { id: "private", name: "make_files", args: { names: [PRIVATE] } },
        { id: "public", name: "make_files", args: { names: ["a.csv"] } },
      ),
      textStep("I may not."),
    ]);
    const { id: chatId } = await agentNamed(fixture, "one");
    await work(fixture, chatId);
    await decideApprovals(fixture.ctx, {
      chatId,
      decisions: [{ toolCallId: "private", decision: "reject" }],
    });
    await runAgent(fixture, "one");
    expect((await agentNamed(fixture, "one")).task).toMatchObject({
      state: "completed",
      report: { output: "I may not.", artifacts: [{ name: "a.csv" }] },
    });
  });

  it("has those of its own task alone", async () => {
    const fixture = await withFiles(([id = ""]) => [
      make("a.csv"),
      textStep("First."),
      calls({ id: "say", name: "message_agent", args: { chat_id: id, message: "More." } }),
      textStep("Asked."),
      make("b.csv"),
      textStep("Second."),
      textStep("Thanks."),
    ]);
    await runAgent(fixture, "one");
    await fixture.run();
    await runAgent(fixture, "one");
    await fixture.run();
    expect(await getReport(fixture)).toMatchObject({
      tool_call_id: "say",
      output: "Second.",
      artifacts: [{ name: "b.csv" }],
    });
  });

  it("names the newest of many files, and how many there are", async () => {
    const fixture = await withFiles(() => [
      make(...Array.from({ length: 52 }, (_, index) => `${index}.csv`)),
      textStep("See the files."),
    ]);
    await runAgent(fixture, "one");
    const { report } = (await agentNamed(fixture, "one")).task;
    expect(report?.artifacts).toHaveLength(50);
    expect(report?.output).toBe("See the files.\n\nIt has 52 files; these are the newest 50.");
  });

  it("comes with its files when a call has waited for it", async () => {
    const fixture = await withFiles((ids) => [
      calls(wait(ids)),
      make("a.csv"),
      textStep("See the file."),
      textStep("Thanks."),
    ]);
    await say(fixture, "Wait for it.");
    await fixture.run();
    await runAgent(fixture, "one");
    await fixture.run();
    const { artifacts } = await callNamed(fixture, "wait");
    expect(artifacts).toMatchObject([{ name: "a.csv" }]);
    expect(lastPrompt(fixture)).toContain(artifacts?.[0]?.id);
  });
});

describe("the end of an agent", () => {
  it("without an answer is a report that says so", async () => {
    const handTool = defineTool({
      name: "hand_over",
      description: "Hands over.",
      input: z.object({}),
      run: () => Promise.resolve(withResponseHandled(userResult("Here it is."))),
    });
    const fixture = await withAgents(
      ["one"],
      () => [calls({ id: "hand", name: "hand_over", args: {} }), textStep("I see.")],
      { tools: [handTool] },
    );
    await runAgent(fixture, "one");
    await fixture.run();
    expect(await getReport(fixture)).toMatchObject({
      state: "completed",
      output: "It ended without an answer.",
    });
  });

  it("has no secrets in its report, for the person and the model", async () => {
    const secret = `sk-${"a1".repeat(20)}`;
    const fixture = await withAgents(["one"], () => [
      textStep(`The key is ${secret}.`),
      textStep("I see."),
    ]);
    await runAgent(fixture, "one");
    await fixture.run();
    expect((await getReport(fixture)).output).toBe("The key is [redacted].");
    expect(lastPrompt(fixture)).not.toContain(secret);
  });

  it("in a failure is an outcome of the call that waits for it", async () => {
    const fixture = await createTurnFixture({
      steps: [
        calls({ id: "work", name: "delegate", args: { prompt: "Work.", title: "one" } }),
        { throws: new Error("no such model") },
        textStep("I see."),
      ],
    });
    await fixture.run();
    await runAgent(fixture, "one");
    await fixture.run();
    const call = await callNamed(fixture, "work");
    expect(call).toMatchObject({ state: "completed", isError: false });
    expect(AwaitedAgents.parse(call.output)).toMatchObject({
      timed_out: false,
      agents: [{ state: "failed", error: { kind: "generic", retryable: false } }],
    });
    expect((await fixture.chat()).status).toBe("waiting");
  });
});

/** Reads the value of a metric of this process. */
const metric = async (line: string): Promise<number> => {
  const text = await appMetrics().register.metrics();
  const found = text.split("\n").find((candidate) => candidate.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1) ?? 0);
};

describe("the metrics of agents", () => {
  const waits = (endedBy: string) =>
    metric(`parley_agent_wait_seconds_count{ended_by="${endedBy}"}`);
  const ends = () => metric('parley_task_ends_total{kind="agent",state="completed"}');

  it("count ends, waits and what ended them", async () => {
    const before = [await ends(), await waits("agents"), await waits("message")];
    const fixture = await withAgents(["one", "two"], (ids) => [
      calls(wait(ids, { min_completed: 1 })),
      textStep("First."),
      textStep("Goes on."),
      calls({ ...wait(ids), id: "again" }),
      textStep("Never mind."),
    ]);
    await say(fixture, "Wait for one.");
    await fixture.run();
    await runAgent(fixture, "one");
    await fixture.run();
    await say(fixture, "Wait for both.");
    await fixture.run();
    await say(fixture, "Never mind.");
    expect([await ends(), await waits("agents"), await waits("message")]).toEqual(
      before.map((count) => count + 1),
    );
  });

  it("count a wait that a queued message ends when it is sent now", async () => {
    const before = await waits("message");
    const fixture = await createTurnFixture({
      dynamicTools: [{ name: "ask_page", description: "Asks.", input_schema: { type: "object" } }],
      steps: [
        calls(
          { id: "page", name: "ask_page", args: {} },
          { id: "work", name: "delegate", args: { prompt: "Work.", title: "one" } },
        ),
      ],
    });
    await fixture.run();
    const { ctx, chatId } = fixture;
    const content = toTextContent("Never mind.");
    const sent = await sendMessage(ctx, { chatId, content, busyBehavior: "queue" });
    await promoteQueued(ctx, { chatId, queuedId: sent.queued ? sent.queuedMessage.id : "" });
    expect(await callNamed(fixture, "work")).toMatchObject({ state: "completed" });
    expect(await waits("message")).toBe(before + 1);
  });

  it("count the end of an agent once, whoever sees it", async () => {
    const before = await ends();
    const fixture = await withAgents(["one"], () => [textStep("It is 42.")]);
    const { id } = await agentNamed(fixture, "one");
    await work(fixture, id);
    await Promise.all([end(fixture, id), end(fixture, id)]);
    expect(await ends()).toBe(before + 1);
  });
});
