import { randomUUID } from "node:crypto";
import { LLMock } from "@copilotkit/aimock";
import type { BrowserContext, CDPSession, Locator, Page } from "@playwright/test";
import type { Api } from "./api";
import { chatPage, ORDER_TOOL } from "./chat-page";
import { expect, test } from "./fixtures";
import { ROUNDS } from "./medians";
import { slowDown, waitUntilIdle } from "./slow-page";
import { createTaskMeter } from "./main-thread-tasks";

/** What a task may take: 100 ms where the reference takes 40 ms. */
const MAX_REFERENCES = 2.5;

const BLOCKS = 8;
const LAST_LINE = 29;

const toBlock = (block: number): string => {
  const lines = Array.from(
    { length: LAST_LINE + 1 },
    (
      _,
      index,
    ) => `export const step${block}_${index} = async (input: { name: string; count: number }) => {
  const value = await load(\`item \${input.name}\`, { retries: ${index}, quiet: true }); // line ${index}
  return value ?? "nothing";
};`,
  );
  return `## Part ${block}

The **first** step reads the \`input\`, and then *writes* one more word. See [the docs](https://example.org/).

- one thing
- another \`thing\`

| Fruit | Weight |
| --- | --- |
| oranges | 12 kg |

\`\`\`ts
${lines.join("\n")}
\`\`\``;
};
const END = "That is all.";
const LONG_ANSWER = [...Array.from({ length: BLOCKS }, (_, block) => toBlock(block)), END].join(
  "\n\n",
);

/** Starts a provider whose answers are long, except to a message that asks for a short one. */
const startProvider = async () => {
  const mock = new LLMock({ port: 0, host: "127.0.0.1", latency: 8, chunkSize: 40 });
  mock.on(
    { predicate: ({ messages }) => JSON.stringify(messages.at(-1)).includes("short") },
    () => ({ content: "A short answer:\n\n```ts\nconst depth: number = 4;\n```" }),
  );
  mock.on(
    { predicate: ({ messages }) => JSON.stringify(messages.at(-1)).includes("plain") },
    () => ({ content: "Nothing to mark here." }),
  );
  mock.on({ predicate: () => true }, () => ({ content: LONG_ANSWER }));
  await mock.start();
  return { url: `${mock.url}/v1`, close: () => mock.stop() };
};

const addModel = async (api: Api, baseUrl: string): Promise<string> => {
  const { body } = await api.request("POST /models", {
    provider: "openai-compatible",
    model: `mock-${randomUUID()}`,
    base_url: baseUrl,
  });
  return (body as { id: string }).id;
};

/** Runs a body with a model of a provider that lives as long. */
const withModel = async (api: Api, body: (modelId: string) => Promise<void>): Promise<void> => {
  const provider = await startProvider();
  try {
    await body(await addModel(api, provider.url));
  } finally {
    await provider.close();
  }
};

type Scene = {
  page: Page;
  modelId: string;
  /** Measures the tasks of the page until it is idle. */
  measure: (name: string, body: () => Promise<unknown>) => Promise<void>;
};

/** Plays a scene several times, each in a page of its own, and expects that no task of it was long. */
const expectShortTasks = async (
  { context, api }: { context: BrowserContext; api: Api },
  play: (scene: Scene) => Promise<void>,
): Promise<void> => {
  const meter = createTaskMeter();
  await withModel(api, async (modelId) => {
    for (let round = 0; round < ROUNDS; round++) {
      const page = await context.newPage();
      let slow: CDPSession | undefined;
      const measure: Scene["measure"] = async (name, body) => {
        const session = (slow ??= await slowDown(page));
        await waitUntilIdle(page);
        await meter.measure(name, { page, session }, async () => {
          await body();
          await waitUntilIdle(page);
        });
      };
      await play({ page, modelId, measure });
      await page.close();
    }
  });
  meter.expectBelow(MAX_REFERENCES);
};

/** Presses the mouse where an element is, without a search at the time. */
const createClick = async (page: Page, element: Locator): Promise<() => Promise<void>> => {
  const { x, y, width, height } = (await element.boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  return () => page.mouse.click(x + width / 2, y + height / 2);
};

/** The colored pieces of the code of an answer. */
const findColored = (answer: Locator): Locator => answer.locator("pre span[style]");

// Each page has loaded the parts that it needs: to load one is a task that grows with its size.
test.describe("on a slow device, no task is long while", () => {
  test("a long answer with code streams", async ({ context, api }) => {
    await expectShortTasks({ context, api }, async ({ page, modelId, measure }) => {
      const { id } = await api.createChat({ content: "short", model_id: modelId });
      await api.waitForStatus(id);
      const { openChat, answers } = chatPage(page);
      await openChat(id);
      await expect(answers.getByText("const", { exact: true })).toBeVisible();
      await measure("a long answer streams", async () => {
        await api.send(id, "now at length");
        await api.waitForStatus(id);
      });
      await expect(answers.last()).toContainText(END);
      const lastBlock = answers.last().locator("pre").last();
      await expect(lastBlock).toContainText(`step${BLOCKS - 1}_0`);
      const lastLine = lastBlock.locator("span[style]", { hasText: `// line ${LAST_LINE}` });
      await expect(lastLine).toBeAttached();
    });
  });

  test("a chat with code opens, and a message is written", async ({ context, api }) => {
    await expectShortTasks({ context, api }, async ({ page, modelId, measure }) => {
      const { id } = await api.createChat({ content: "Long code, please", model_id: modelId });
      await api.waitForStatus(id);
      await api.send(id, "once more");
      await api.waitForStatus(id);
      const other = await api.createChat({ content: "short", model_id: modelId });
      await api.waitForStatus(other.id);
      const { openChat, chatList, answers, message } = chatPage(page);
      await openChat(other.id);
      await expect(answers.getByText("const", { exact: true })).toBeVisible();
      const openLong = await createClick(page, chatList.locator(`a[href="/chats/${id}"]`).first());
      await measure("a chat with code opens", async () => {
        await openLong();
        await waitUntilIdle(page);
      });
      await expect(answers).toHaveCount(2);
      await expect(findColored(answers.first()).first()).toBeAttached();
      const focusMessage = await createClick(page, message);
      await measure("a message is written", async () => {
        await focusMessage();
        await page.keyboard.type("Where is the order of last week?", { delay: 30 });
      });
      await expect(message).toHaveValue("Where is the order of last week?");
    });
  });

  test("a form opens, and its field is filled in", async ({ context, api }) => {
    await expectShortTasks({ context, api }, async ({ page, measure }) => {
      const question = 'use check_order with {"order":"A-17"}';
      const { id } = await api.createChat({ content: question, dynamic_tools: [ORDER_TOOL] });
      const { required_action: action } = await api.waitForStatus(id);
      const { openChat, log } = chatPage(page);
      await openChat(id);
      const note = log.getByRole("textbox", { name: "Note" });
      await expect(note).toBeVisible();
      const results = (action?.tool_calls ?? []).map(({ tool_call_id }) => ({
        tool_call_id,
        output: { days: 3 },
      }));
      await api.submit(id, results);
      await expect(note).toBeHidden();
      await measure("a form opens", async () => {
        await api.send(id, question);
        await api.waitForStatus(id, ["requires_action"]);
      });
      await note.scrollIntoViewIfNeeded();
      const focusNote = await createClick(page, note);
      await measure("its field is filled in", async () => {
        await focusNote();
        await page.keyboard.type("left on Monday", { delay: 30 });
      });
      await expect(note).toHaveValue("left on Monday");
    });
  });
});

test.describe("on a slow device, no task is long when a chat first needs", () => {
  test("markdown", async ({ context, api }) => {
    await expectShortTasks({ context, api }, async ({ page, modelId, measure }) => {
      const { id } = await api.createChat({ content: "plain", model_id: modelId });
      await api.waitForStatus(id);
      const { openChat, answers } = chatPage(page);
      await openChat(id);
      await expect(answers).toHaveText(/Nothing to mark/);
      await measure("the first markdown", async () => {
        await api.send(id, "short");
        await api.waitForStatus(id);
      });
      await expect(findColored(answers.last()).first()).toBeAttached();
    });
  });

  test("a form", async ({ context, api }) => {
    await expectShortTasks({ context, api }, async ({ page, measure }) => {
      const { id } = await api.createChat({ content: "Hello", dynamic_tools: [ORDER_TOOL] });
      await api.waitForStatus(id);
      const { openChat, log } = chatPage(page);
      await openChat(id);
      await measure("the first form", async () => {
        await api.send(id, 'use check_order with {"order":"A-17"}');
        await api.waitForStatus(id, ["requires_action"]);
      });
      await expect(log.getByRole("textbox", { name: "Note" })).toBeVisible();
    });
  });
});
