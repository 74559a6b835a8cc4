import type { Locator, Page } from "@playwright/test";
import type { JsonValue } from "@/contract/json";
import type { Api } from "../api";
import { chatPage } from "../chat-page";
import { expect, test } from "../fixtures";
import {
  ATTACKS,
  BACKTRACKING,
  createDoubling,
  EVIL_TEXT,
  parkAttack,
  SLOPPY_CHAT,
} from "./attacks";

for (const attack of ATTACKS) {
  test(`${attack.what} are taken in time`, async ({ api }) => {
    const { id, results } = await parkAttack(api, attack);
    await api.submit(id, results);
    expect(await api.waitForStatus(id)).toMatchObject({ status: "waiting" });
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
  const { required_action } = await api.waitForStatus(id, ["requires_action"]);
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
}) => {
  const { id, warnings } = await api.createChat(SLOPPY_CHAT);
  expect(warnings.join("\n")).toMatch(/"branching0" is offered without .*too large/);
  expect(warnings.join("\n")).toMatch(/"chain" is offered without .*nested too deeply/);
  expect(warnings).toContain(
    'The tool "sloppy" is offered without /input_schema/required, which has no valid value.',
  );
  const parked = await api.waitForStatus(id, ["requires_action"]);
  expect(parked.required_action?.tool_calls).toMatchObject([{ tool_name: "sloppy" }]);
});

/** Opens the page of a chat that waits for an answer. */
const openForm = async (page: Page, api: Api, output_schema: JsonValue): Promise<Locator> => {
  const { id } = await api.createChat({
    content: "use evil",
    dynamic_tools: [{ name: "evil", output_schema }],
  });
  await api.waitForStatus(id, ["requires_action"]);
  const { openChat, log } = chatPage(page);
  await openChat(id);
  return log.getByRole("group", { name: "Your answer is needed" });
};

// Without limits a page would be blocked for hours.
test("a form stays responsive with a default that its pattern backtracks on", async ({
  page,
  api,
}) => {
  const form = await openForm(page, api, {
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
});

for (const keyword of ["allOf", "anyOf", "oneOf"]) {
  test(`a form stays responsive with references that double in ${keyword}`, async ({
    page,
    api,
  }) => {
    const form = await openForm(page, api, createDoubling(keyword));
    await form.getByText("JSON", { exact: true }).click();
    await form.getByRole("textbox", { name: "Answer as JSON" }).pressSequentially('{"a": "b"}');
    await form.getByRole("button", { name: "Send answer" }).click();
    await expect(form).toBeHidden();
  });
}
