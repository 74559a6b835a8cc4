import { performance } from "node:perf_hooks";
import type { Page } from "@playwright/test";
import type { JsonValue } from "@/contract/json";
import type { Api } from "../api";
import { chatPage } from "../chat-page";
import { expect, test } from "../fixtures";

const PARK_TIMEOUT_MS = 20_000;
/** Longest time that another request may take meanwhile, on a busy machine: it was 6 to 10 s. */
const MAX_WAIT_MS = 1_000;

const EVIL_TEXT = `${"a".repeat(60)}!`;
const BACKTRACKING = { type: "string", pattern: "^(a+)+$" };

/** Definitions of which each has the next one twice, without a pattern. */
const doubling = (keyword: string): JsonValue => ({
  type: "object",
  properties: { a: { $ref: "#/$defs/0" } },
  $defs: Object.fromEntries(
    Array.from({ length: 41 }, (_, index) => {
      const next = { $ref: `#/$defs/${index + 1}` };
      return [index, index === 40 ? { type: "string" } : { [keyword]: [next, next] }];
    }),
  ),
});

/**
 * Sends small requests, one after another, while something else is done.
 *
 * @returns the longest time that one of them took.
 */
const measureOthers = async (url: string, work: Promise<unknown>): Promise<number> => {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  let longest = 0;
  do {
    const started = performance.now();
    const response = await fetch(`${url}/healthz`);
    await response.arrayBuffer();
    longest = Math.max(longest, performance.now() - started);
  } while (!isDone);
  await done;
  return longest;
};

const attacks: [what: string, count: number, schema: JsonValue, output: JsonValue][] = [
  ["60 results that a pattern backtracks on", 60, BACKTRACKING, EVIL_TEXT],
  ["4 results for a schema whose options double", 4, doubling("anyOf"), { a: 5 }],
  ["4 results for a schema whose parts double", 4, doubling("allOf"), { a: 5 }],
];
for (const [what, count, output_schema, output] of attacks) {
  test(`${what} hold nothing up`, async ({ api, server }) => {
    const names = Array.from({ length: count }, (_, index) => `evil${index}`);
    const { id } = await api.createChat({
      content: `use ${names.join(" and ")}`,
      dynamic_tools: names.map((name) => ({ name, output_schema })),
    });
    const { required_action } = await api.waitForStatus(id, PARK_TIMEOUT_MS, ["requires_action"]);
    const calls = required_action?.tool_calls ?? [];
    expect(calls).toHaveLength(count);
    const started = performance.now();
    const results = calls.map(({ tool_call_id }) => ({ tool_call_id, output }));
    const longest = await measureOthers(server.url, api.submit(id, results));
    expect(longest).toBeLessThan(MAX_WAIT_MS);
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(await api.waitForStatus(id, PARK_TIMEOUT_MS)).toMatchObject({ status: "waiting" });
  });
}

test("a result is still validated after an attack", async ({ api }) => {
  const { id } = await api.createChat({
    content: "use evil and measure",
    dynamic_tools: [
      { name: "measure", output_schema: { type: "number" } },
      { name: "evil", output_schema: BACKTRACKING },
    ],
  });
  const { required_action } = await api.waitForStatus(id, PARK_TIMEOUT_MS, ["requires_action"]);
  const calls = (required_action?.tool_calls ?? []).toSorted((a, b) =>
    b.tool_name < a.tool_name ? -1 : 1,
  );
  const submit = (measured: unknown) =>
    api.request(`POST /chats/${id}/tool-results`, {
      results: calls.map(({ tool_call_id, tool_name }) => ({
        tool_call_id,
        output: tool_name === "evil" ? EVIL_TEXT : measured,
      })),
    });
  expect(await submit("much")).toMatchObject({
    status: 400,
    body: { code: "invalid", errors: [{ pointer: "/results/0/output" }] },
  });
  expect(await submit(5)).toMatchObject({ status: 204 });
});

test("tools with references that double, chain or are of no use are offered without them", async ({
  api,
  server,
}) => {
  const chain = Array.from({ length: 1_500 }, (_, index) => [
    index,
    { items: { $ref: `#/$defs/${index + 1}` } },
  ]);
  const creation = api.createChat({
    content: "use sloppy",
    dynamic_tools: [
      {
        name: "chain",
        input_schema: {
          properties: { a: { $ref: "#/$defs/0" } },
          $defs: Object.fromEntries(chain) as JsonValue,
        },
      },
      {
        name: "sloppy",
        input_schema: {
          type: ["object", "null"],
          properties: { city: { type: "string" }, old: false },
          required: null,
        },
      },
      ...Array.from({ length: 50 }, (_, index) => ({
        name: `branching${index}`,
        input_schema: doubling("allOf"),
      })),
    ],
  });
  expect(await measureOthers(server.url, creation)).toBeLessThan(MAX_WAIT_MS);
  const { id, warnings } = await creation;
  expect(warnings.join("\n")).toMatch(/"branching0" is offered without .*too large/);
  expect(warnings.join("\n")).toMatch(/"chain" is offered without .*nested too deeply/);
  expect(warnings).toContain(
    'The tool "sloppy" is offered without /input_schema/required, which has no valid value.',
  );
  const parked = await api.waitForStatus(id, PARK_TIMEOUT_MS, ["requires_action"]);
  expect(parked.required_action?.tool_calls).toMatchObject([{ tool_name: "sloppy" }]);
});

/** Longest task of the page, on a busy machine, where loading a page takes seconds. These would take hours. */
const MAX_TASK_MS = 5_000;

/** Opens the page of a chat that waits for an answer, and records how long its thread is blocked. */
const openForm = async (page: Page, api: Api, output_schema: JsonValue) => {
  const { id } = await api.createChat({
    content: "use evil",
    dynamic_tools: [{ name: "evil", output_schema }],
  });
  await api.waitForStatus(id, PARK_TIMEOUT_MS, ["requires_action"]);
  await page.addInitScript(() => {
    const tasks: number[] = [];
    new PerformanceObserver((list) => {
      tasks.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: "longtask" });
    Object.assign(globalThis, { longTasks: tasks });
  });
  const { openChat, log } = chatPage(page);
  await openChat(id);
  return {
    form: log.getByRole("group", { name: "Your answer is needed" }),
    longestTask: () =>
      page.evaluate(() =>
        Math.max(0, ...(globalThis as unknown as { longTasks: number[] }).longTasks),
      ),
  };
};

test("a form stays responsive with a default that its pattern backtracks on", async ({
  page,
  api,
}) => {
  const { form, longestTask } = await openForm(page, api, {
    type: "object",
    properties: {
      evil: { ...BACKTRACKING, title: "Evil", default: EVIL_TEXT },
      note: { type: "string", title: "Note" },
    },
  });
  await form.getByRole("textbox", { name: "Evil" }).press("End");
  await page.keyboard.type("aaaaaaaaaa!");
  await form.getByRole("textbox", { name: "Note" }).pressSequentially("left on Monday");
  await form.getByRole("button", { name: "Send answer" }).click();
  await expect(form).toBeHidden();
  expect(await longestTask()).toBeLessThan(MAX_TASK_MS);
});

for (const keyword of ["allOf", "anyOf", "oneOf"]) {
  test(`a form stays responsive with references that double in ${keyword}`, async ({
    page,
    api,
  }) => {
    const { form, longestTask } = await openForm(page, api, doubling(keyword));
    await form.getByText("JSON", { exact: true }).click();
    await form.getByRole("textbox", { name: "Answer as JSON" }).pressSequentially('{"a": "b"}');
    await form.getByRole("button", { name: "Send answer" }).click();
    await expect(form).toBeHidden();
    expect(await longestTask()).toBeLessThan(MAX_TASK_MS);
  });
}
