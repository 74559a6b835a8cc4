import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { Group } from "@/contract/group";
import { groupSetting } from "@/server/db/settings/group-reads";
import { changeSetting } from "@/server/db/settings/setting-writes";
import { defineTool } from "@/server/tools/tool";
import { toolResult } from "@/server/tools/tool-result";
import { testDatabase } from "@/test/database";
import { finishPart, textStep, toolCallParts } from "@/test/scripted-model";
import { toTextContent } from "@/test/chat-fixture";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { editMessage } from "@/server/chat/edit-message";
import { sendMessage } from "@/server/chat/send-message";
import { updateChat } from "@/server/chat/update-chat";

const REVIEW = Group.parse({ name: "review", tools: ["read_file"], prompt: "Name each fault." });
const PLAN = Group.parse({
  name: "plan",
  tools: ["todo_write", "read_file"],
  prompt: "Plan first.",
  include_default_prompt: false,
});
const DEFAULT_PROMPT = /^You answer in a chat\./;

const declare = async (...groups: Group[]): Promise<void> => {
  await changeSetting(await testDatabase(), groupSetting, () => ({ groups }));
};
// Other files of the worker have the same database.
afterEach(async () => (await testDatabase()).prisma.setting.deleteMany());

/** What the model was sent by a call: its system messages and the names of its tools. */
const sentBy = ({ model }: TurnFixture, call = 0) => ({
  system: (model.requests[call]?.prompt ?? []).flatMap(({ role, content }) =>
    role === "system" ? content : [],
  ),
  tools: (model.requests[call]?.tools ?? []).map(({ name }) => name),
});

describe("a turn of a chat with groups", () => {
  it("has their tools only, and their prompts before the chat's own", async () => {
    await declare(REVIEW, PLAN);
    const turn = await createTurnFixture({
      groupNames: ["review"],
      systemPrompt: "Be brief.",
      steps: [textStep("Done.")],
      dynamicTools: [{ name: "deploy" }],
    });
    await turn.run();
    const { system, tools } = sentBy(turn);
    expect(tools).toEqual(["read_file", "deploy"]);
    expect(system).toEqual([
      expect.stringMatching(DEFAULT_PROMPT),
      "Name each fault.",
      "Be brief.",
    ]);
  });

  it("has each tool of several groups and of the chat once", async () => {
    await declare(REVIEW, PLAN);
    const turn = await createTurnFixture({
      groupNames: ["plan", "review"],
      toolNames: ["current_time", "read_file"],
      steps: [textStep("Done.")],
    });
    await turn.run();
    const { system, tools } = sentBy(turn);
    expect(tools).toEqual(["current_time", "read_file", "todo_write"]);
    expect(system).toEqual(["Plan first.", "Name each fault."]);
  });

  it("has none of the tools while the groups that it has chosen are gone", async () => {
    await declare(REVIEW);
    const turn = await createTurnFixture({ groupNames: ["review"], steps: [textStep("Done.")] });
    await declare();
    await turn.run();
    expect(sentBy(turn)).toEqual({
      system: [expect.stringMatching(DEFAULT_PROMPT)],
      tools: [],
    });
  });

  it("has no tool that an administrator has turned off, nor one that has vanished", async () => {
    await declare({ ...REVIEW, tools: ["read_file", "gone"] });
    const turn = await createTurnFixture({ groupNames: ["review"], steps: [textStep("Done.")] });
    await turn.run();
    expect(sentBy(turn).tools).toEqual(["read_file"]);
  });

  it("has others from its next step on when a person changes them", async () => {
    await declare({ ...PLAN, tools: ["change"] });
    const change = defineTool({
      name: "change",
      description: "A person removes the group.",
      input: z.object({}),
      run: async ({ chatId }) => {
        await updateChat(turn.ctx, { chatId, groupNames: [] });
        return toolResult("changed");
      },
    });
    const turn: TurnFixture = await createTurnFixture({
      tools: [change],
      groupNames: ["plan"],
      steps: [[...toolCallParts("a", "change", {}), finishPart("tool-calls")], textStep("Done.")],
    });
    await turn.run();
    expect(sentBy(turn, 0)).toEqual({ system: ["Plan first."], tools: ["change"] });
    const after = sentBy(turn, 1);
    expect(after.system).toEqual([expect.stringMatching(DEFAULT_PROMPT)]);
    expect(after.tools).toContain("write_file");
  });
});

describe("a message that mentions tools or groups", () => {
  const content = toTextContent("Look at @review");
  const mentions = { tools: [], groups: ["review"] };

  it("chooses them for its own turn, when it waits for another one", async () => {
    await declare(REVIEW);
    const turn = await createTurnFixture({ steps: [textStep("One."), textStep("Two.")] });
    const { chatId, ctx } = turn;
    await sendMessage(ctx, { chatId, content, busyBehavior: "queue", mentions });
    expect(await turn.chat()).toMatchObject({ groupNames: [] });
    await turn.run();
    expect(sentBy(turn).tools).toContain("write_file");
    expect(await turn.chat()).toMatchObject({ groupNames: ["review"], toolNames: null });
    await turn.run();
    expect(sentBy(turn, 1).tools).toEqual(["read_file"]);
  });

  it("adds them to what the chat has chosen by then, sent or edited", async () => {
    await declare(REVIEW, PLAN);
    const turn = await createTurnFixture({ groupNames: ["plan"], steps: [textStep("One.")] });
    const { chatId, ctx } = turn;
    await turn.run();
    await updateChat(ctx, { chatId, toolNames: ["exec"] });
    const both = { tools: ["read_file", "exec"], groups: ["review", "plan"] };
    await sendMessage(ctx, { chatId, content, busyBehavior: "queue", mentions: both });
    const chosen = { groupNames: ["plan", "review"], toolNames: ["exec", "read_file"] };
    expect(await turn.chat()).toMatchObject(chosen);
    await updateChat(ctx, { chatId, toolNames: null, groupNames: [] });
    const [first] = await turn.history();
    await editMessage(ctx, { chatId, messageId: first?.id ?? "", content, mentions });
    expect(await turn.chat()).toMatchObject({ groupNames: ["review"], toolNames: null });
  });

  it("is refused with the place of a name that nothing has, and sends nothing", async () => {
    const turn = await createTurnFixture({ steps: [textStep("One.")] });
    const { chatId, ctx } = turn;
    const unknown = { tools: ["read_file", "fly"], groups: ["review"] };
    const sent = sendMessage(ctx, { chatId, content, busyBehavior: "queue", mentions: unknown });
    await expect(sent).rejects.toMatchObject({
      message: 'The server has no tool "fly", and no group "review".',
      errors: [{ pointer: "/mentions/tools/1" }, { pointer: "/mentions/groups/0" }],
    });
    expect(await turn.chat()).toMatchObject({ queuedCount: 0 });
  });
});

describe("the dynamic tools of a group", () => {
  const refund = { name: "refund", description: "Asks for a refund" };
  const REFUNDS = Group.parse({ name: "refunds", tools: ["read_file"], dynamic_tools: [refund] });
  const content = toTextContent("@refunds please");
  const mentions = { tools: [], groups: ["refunds"] };
  const kept = { ...refund, group: "refunds" };

  it("are copied into a new chat, which keeps them as they were", async () => {
    await declare(REFUNDS);
    const own = { name: "deploy" };
    const turn = await createTurnFixture({
      groupNames: ["refunds"],
      dynamicTools: [own],
      steps: [textStep("One."), textStep("Two.")],
    });
    await declare({ ...REFUNDS, dynamic_tools: [{ name: "other" }] });
    await turn.run();
    expect(sentBy(turn).tools).toEqual(["read_file", "deploy", "refund"]);
    await declare();
    await sendMessage(turn.ctx, { chatId: turn.chatId, content, busyBehavior: "queue" });
    await turn.run();
    expect(sentBy(turn, 1).tools).toEqual(["deploy", "refund"]);
    expect(await turn.chat()).toMatchObject({ dynamicTools: [own, kept] });
  });

  it("come with a message that mentions the group, when it enters the history", async () => {
    await declare(REFUNDS);
    const turn = await createTurnFixture({ steps: [textStep("One."), textStep("Two.")] });
    const { chatId, ctx } = turn;
    await sendMessage(ctx, { chatId, content, busyBehavior: "queue", mentions });
    await turn.run();
    expect(sentBy(turn).tools).not.toContain("refund");
    await turn.run();
    expect(sentBy(turn, 1).tools).toEqual(["read_file", "refund"]);
    await declare({ ...REFUNDS, dynamic_tools: [{ name: "other" }] });
    await sendMessage(ctx, { chatId, content, busyBehavior: "queue", mentions });
    expect(await turn.chat()).toMatchObject({ dynamicTools: [kept] });
  });

  it("are offered while the chat has the group, and anew when it takes it again", async () => {
    await declare(REFUNDS);
    const turn = await createTurnFixture({
      groupNames: ["refunds"],
      steps: [textStep("One."), textStep("Two."), textStep("Three.")],
    });
    const { chatId, ctx } = turn;
    const next = async (groupNames: string[]) => {
      await updateChat(ctx, { chatId, groupNames });
      await sendMessage(ctx, { chatId, content, busyBehavior: "queue" });
      await turn.run();
    };
    await turn.run();
    await next([]);
    expect(sentBy(turn, 1).tools).not.toContain("refund");
    await declare({ ...REFUNDS, dynamic_tools: [{ ...refund, description: "Newer" }] });
    await next(["refunds"]);
    expect(sentBy(turn, 2).tools).toEqual(["read_file", "refund"]);
    expect(turn.model.requests[2]?.tools).toMatchObject([{}, { description: "Newer" }]);
  });

  it("give way to those that the chat has already, and a new chat says so", async () => {
    const other = { name: "others", dynamic_tools: [{ ...refund, description: "Of others" }] };
    await declare(REFUNDS, Group.parse({ tools: [], ...other }));
    const own = { name: "refund", description: "Its own" };
    const names = { groupNames: ["refunds", "others"] };
    const first = await createTurnFixture({ ...names, steps: [], dynamicTools: [own] });
    expect(await first.chat()).toMatchObject({ dynamicTools: [own] });
    expect((await first.chat()).warnings).toEqual([
      'The tool "refund" of the group "refunds" is not offered: the chat has another one of this name.',
      'The tool "refund" of the group "others" is not offered: the chat has another one of this name.',
    ]);
    const second = await createTurnFixture({ ...names, steps: [] });
    expect((await second.chat()).dynamicTools).toEqual([kept]);
    await updateChat(second.ctx, { chatId: second.chatId, groupNames: ["others"] });
    await updateChat(second.ctx, { chatId: second.chatId, groupNames: [] });
    await updateChat(second.ctx, { chatId: second.chatId, groupNames: ["others"] });
    expect((await second.chat()).dynamicTools).toEqual([
      { ...refund, description: "Of others", group: "others" },
    ]);
  });

  it.each([
    ["number", 250, "x"],
    ["size", 17, "x".repeat(60_000)],
  ])(
    "are refused above the %s that a chat may have, and nothing is changed",
    async (_what, count, title) => {
      const many = Array.from({ length: count }, (_, index) => ({
        name: `tool_${index}`,
        input_schema: { title },
      }));
      await declare(REFUNDS, Group.parse({ name: "many", tools: [], dynamic_tools: many }));
      const groupNames = ["many", "refunds"];
      const refused = { code: "invalid", errors: [{ pointer: "/groups" }] };
      const own = { name: "own", input_schema: { title: "x".repeat(60_000) } };
      const input = { groupNames, dynamicTools: [own], steps: [] };
      await expect(createTurnFixture(input)).rejects.toMatchObject(refused);
      const turn = await createTurnFixture({ dynamicTools: [own], steps: [textStep("One.")] });
      const { chatId, ctx } = turn;
      await expect(updateChat(ctx, { chatId, groupNames })).rejects.toMatchObject(refused);
      await turn.run();
      const both = { tools: [], groups: groupNames };
      const sent = sendMessage(ctx, { chatId, content, busyBehavior: "queue", mentions: both });
      await expect(sent).rejects.toMatchObject({ errors: [{ pointer: "/mentions/groups" }] });
      expect(await turn.chat()).toMatchObject({ groupNames: [], dynamicTools: [own] });
    },
  );

  it("come as far as there is room with a message that has waited", async () => {
    await declare(REFUNDS);
    const full = Array.from({ length: 250 }, (_, index) => ({ name: `tool_${index}` }));
    const turn = await createTurnFixture({ dynamicTools: full, steps: [textStep("One.")] });
    const { chatId, ctx } = turn;
    await sendMessage(ctx, { chatId, content, busyBehavior: "queue", mentions });
    await turn.run();
    const { groupNames, dynamicTools, status } = await turn.chat();
    expect({ groupNames, status }).toEqual({ groupNames: ["refunds"], status: "pending" });
    expect(dynamicTools).toEqual(full);
  });
});
