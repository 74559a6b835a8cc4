import { beforeAll, describe, expect, it } from "vitest";
import type { ToolsetDeclaration } from "@/contract/toolset";
import { claimOpenCalls, limitFilter } from "@/server/chat/claim-calls";
import { decideApprovals } from "@/server/chat/decide-approvals";
import { submitToolResults } from "@/server/chat/submit-tool-results";
import type { ToolCallPartRow } from "@/server/db/chats/rows";
import { toOfferedToolset } from "@/server/tools/toolsets/toolset-tool";
import { createToolSources } from "@/server/tools/tool-source";
import { createTestContext } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { finishPart, textStep, toolCallParts } from "@/test/scripted-model";
import { builtinTools } from "@/test/tool-fixture";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";

beforeAll(() => testDatabase());

const TOOL = {
  name: "find",
  description: "Finds a customer",
  input_schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  output_schema: { type: "object", required: ["id"] },
  timeout_seconds: 60,
  repeatable: true,
};

const declare = (tool: object = {}, toolset: object = {}): ToolsetDeclaration => ({
  version: "1",
  offered_to: "all",
  when_absent: "withhold",
  tools: [{ ...TOOL, approval: "never", ...tool }],
  ...toolset,
});

const CALL = [...toolCallParts("a", "crm_find", { name: "Ada" }), finishPart("tool-calls")];

const setUp = async (
  tool: object = {},
  input: object = {},
  { isPresent = true, toolset = {} } = {},
) => {
  const { tools } = toOfferedToolset("crm", declare(tool, toolset), isPresent);
  const ctx = await createTestContext(await testDatabase());
  const toolSources = createToolSources(builtinTools, { toolset: () => tools });
  return createTurnFixture({
    tools: [...tools],
    ctx: { ...ctx, toolSources },
    steps: [CALL, textStep("done")],
    ...input,
  });
};

const readCall = async ({ history }: TurnFixture): Promise<ToolCallPartRow | undefined> =>
  (await history())
    .flatMap(({ parts }) => parts.filter((part) => part.type === "tool_call"))
    .at(-1);

const claim = async ({ ctx }: TurnFixture) => {
  const { calls } = await claimOpenCalls(ctx, {
    holder: "runner",
    leaseSeconds: 60,
    limit: 1,
    resume: false,
    filter: limitFilter(ctx.actor, { toolset: "crm" }),
  });
  return calls;
};

describe("a call of a tool of a toolset", () => {
  it("waits for a program, with what its tool says of it", async () => {
    const fixture = await setUp();
    await fixture.run();
    expect((await fixture.chat()).status).toBe("requires_action");
    expect(await readCall(fixture)).toMatchObject({
      kind: "toolset",
      state: "awaiting_result",
      definition: { output_schema: TOOL.output_schema, timeout_seconds: 60, repeatable: true },
    });
    const [claimed] = await claim(fixture);
    expect(claimed).toMatchObject({
      toolName: "crm_find",
      args: { name: "Ada" },
      claim: { maxAttempts: 3 },
    });
    const wrong = { toolCallId: "a", output: {}, isError: false };
    await expect(
      submitToolResults(fixture.ctx, { chatId: fixture.chatId, results: [wrong] }),
    ).rejects.toThrow("output_schema");
    await submitToolResults(fixture.ctx, {
      chatId: fixture.chatId,
      results: [{ ...wrong, output: { id: 7 } }],
    });
    await fixture.run();
    expect(await readCall(fixture)).toMatchObject({ state: "completed", output: { id: 7 } });
    expect((await fixture.chat()).status).toBe("waiting");
  });

  it("is refused at once with arguments that do not fit, or text that is no JSON", async () => {
    const steps = [
      [...toolCallParts("a", "crm_find", { name: 7 }), finishPart("tool-calls")],
      textStep("done"),
    ];
    const fixture = await setUp({}, { steps });
    await fixture.run();
    expect(await readCall(fixture)).toMatchObject({ state: "error" });
  });

  it("waits for a person first where it is declared so, and then for a program", async () => {
    const fixture = await setUp({ approval: "always" });
    await fixture.run();
    expect(await readCall(fixture)).toMatchObject({ state: "awaiting_approval" });
    // A person has the time of the chat, not that of the tool.
    const { actionDeadlineAt, updatedAt } = await fixture.chat();
    expect(Number(actionDeadlineAt) - Number(updatedAt)).toBeGreaterThan(23 * 3_600_000);
    expect(await claim(fixture)).toEqual([]);
    await decideApprovals(fixture.ctx, {
      chatId: fixture.chatId,
      decisions: [{ toolCallId: "a", decision: "approve", args: { name: "Grace" } }],
    });
    await fixture.run();
    const chat = await fixture.chat();
    expect(chat.status).toBe("requires_action");
    expect(Number(chat.actionDeadlineAt) - Number(chat.updatedAt)).toBeLessThan(61_000);
    expect(await readCall(fixture)).toMatchObject({ state: "awaiting_result", approved: false });
    expect(await claim(fixture)).toMatchObject([{ approvedArgs: { name: "Grace" } }]);
  });

  it("does not wait when a person rejects it", async () => {
    const fixture = await setUp({ approval: "always" });
    await fixture.run();
    await decideApprovals(fixture.ctx, {
      chatId: fixture.chatId,
      decisions: [{ toolCallId: "a", decision: "reject" }],
    });
    await fixture.run();
    expect(await readCall(fixture)).toMatchObject({ state: "denied" });
  });

  it("is not asked about again where a person has said always", async () => {
    const steps = [
      CALL,
      [...toolCallParts("b", "crm_find", { name: "Bo" }), finishPart("tool-calls")],
    ];
    const fixture = await setUp({ approval: "always" }, { steps });
    await fixture.run();
    await decideApprovals(fixture.ctx, {
      chatId: fixture.chatId,
      decisions: [{ toolCallId: "a", decision: "approve", scope: "chat" }],
    });
    await fixture.run();
    await submitToolResults(fixture.ctx, {
      chatId: fixture.chatId,
      results: [{ toolCallId: "a", output: { id: 1 }, isError: false }],
    });
    await fixture.run();
    expect(await readCall(fixture)).toMatchObject({ toolCallId: "b", state: "awaiting_result" });
  });

  it("goes to a program also when a worker has died as it handed it over", async () => {
    const fixture = await setUp({ approval: "always" });
    await fixture.run();
    await decideApprovals(fixture.ctx, {
      chatId: fixture.chatId,
      decisions: [{ toolCallId: "a", decision: "approve" }],
    });
    // The call is marked as started, as for any tool.
    await fixture.ctx.db.prisma.part.updateMany({
      where: { message: { chatId: fixture.chatId }, toolCallId: "a" },
      data: { approved: false },
    });
    await fixture.run();
    expect(await readCall(fixture)).toMatchObject({ state: "awaiting_result" });
  });
});

describe("a tool of a toolset", () => {
  const offered = async (fixture: TurnFixture) => {
    await fixture.run();
    return fixture.model.requests[0]?.tools?.map(({ name }) => name) ?? [];
  };

  it("is left out while no program is connected, with the reason, or is offered then", async () => {
    const absent = await setUp({}, {}, { isPresent: false });
    expect(await offered(absent)).not.toContain("crm_find");
    expect(await readCall(absent)).toMatchObject({
      state: "error",
      output: 'The tool "crm_find" is not offered. No program that runs it is connected.',
    });
    const toolset = { when_absent: "offer" };
    const open = await setUp({}, {}, { isPresent: false, toolset });
    expect(await offered(open)).toContain("crm_find");
    expect(await readCall(open)).toMatchObject({ state: "awaiting_result" });
  });

  it("is offered to chats that have chosen it alone, if it is for those", async () => {
    const toolset = { offered_to: "chosen" };
    expect(await offered(await setUp({}, {}, { toolset }))).not.toContain("crm_find");
    const choice = { toolNames: ["crm_find"] };
    expect(await offered(await setUp({}, choice, { toolset }))).toEqual(["crm_find"]);
  });
});
