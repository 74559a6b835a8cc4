import { beforeAll, describe, expect, it } from "vitest";
import { v7 as newId } from "uuid";
import { createChat } from "@/server/chat/create-chat";
import { createTaskDeps } from "@/server/chat/manage-tasks";
import { completeTask } from "@/server/tasks/task-reports";
import type { Database } from "@/server/db/connection/database";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { beginTestTask } from "@/test/task-fixture";
import { callTool, recordedDeps } from "@/test/tool-fixture";
import { createTaskCancelTool } from "./task-cancel";
import { createTaskStatusTool } from "./task-status";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

const newChat = async (): Promise<string> =>
  (await createChat(await createTestContext(db), { content: toTextContent("hello") })).id;

/** Calls one of the tools in a chat. */
const call = (name: "task_status" | "task_cancel", chatId: string, taskId?: string) => {
  const deps = createTaskDeps({ db, newId });
  const recorded = recordedDeps({ step: { chatId, rootChatId: chatId } });
  const args = taskId === undefined ? {} : { task_id: taskId };
  const tools = [createTaskStatusTool(deps), createTaskCancelTool(deps)];
  return callTool({ name, args, tools }, recorded);
};

const end = (chatId: string, taskId: string, output: string) => {
  const report = { output, for_user: null, artifacts: [] };
  return completeTask({ db, newId }, { taskId, chatId, state: "completed", report });
};

describe("task_status", () => {
  it("lists the tasks of its chat alone, the oldest first", async () => {
    const [chatId, other] = [await newChat(), await newChat()];
    const first = await beginTestTask(db, { chatId, label: "first" });
    await beginTestTask(db, { chatId: other, label: "of another chat" });
    const second = await beginTestTask(db, { chatId, label: "second" });
    await end(chatId, first, "It is 42.");
    expect((await call("task_status", chatId)).output).toBe(
      `${first} completed "first": "It is 42."\n${second} running "second"`,
    );
    expect((await call("task_status", chatId, second)).output).toBe(`${second} running "second"`);
    expect((await call("task_status", await newChat())).output).toBe("This chat has no tasks.");
  });

  it("cuts a report at 300 code points", async () => {
    const chatId = await newChat();
    const [whole, long] = ["😀".repeat(300), "é".repeat(301)];
    for (const output of [whole, long]) {
      await end(chatId, await beginTestTask(db, { chatId }), output);
    }
    const lines = ((await call("task_status", chatId)).output as string).split("\n");
    expect(lines[0]).toContain(`"${whole}"`);
    expect(lines[1]).toContain(`"${"é".repeat(300)}…"`);
  });
});

it.each(["task_status", "task_cancel"] as const)(
  "%s answers an id of another chat like an unknown one",
  async (name) => {
    const [chatId, other] = [await newChat(), await newChat()];
    const foreign = await beginTestTask(db, { chatId: other });
    const unknown = newId();
    for (const id of [foreign, unknown, "no id", ""]) {
      const { isError, output } = await call(name, chatId, id);
      expect(isError).toBe(true);
      expect(output).toBe(
        `This chat has no task ${JSON.stringify(id)}. Call task_status without an id for a list.`,
      );
    }
    expect((await call("task_status", other)).output).toContain(`${foreign} running`);
  },
);

it("task_cancel says whether it was the one that ended the task", async () => {
  const chatId = await newChat();
  const id = await beginTestTask(db, { chatId });
  const first = await call("task_cancel", chatId, id);
  expect(first).toMatchObject({ output: `Task ${id} is cancelled.`, reportedTasks: [id] });
  const second = await call("task_cancel", chatId, id);
  expect(second).toMatchObject({ output: `Task ${id} had ended before.`, isError: false });
  expect(second.reportedTasks).toBeUndefined();
});
