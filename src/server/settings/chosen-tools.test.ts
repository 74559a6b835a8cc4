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
