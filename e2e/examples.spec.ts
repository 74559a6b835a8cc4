import { expectAnsweredOnce } from "./bot-torture";
import { createExampleFolder, type ExampleFolder, listCalls } from "./example-programs";
import { expect, test as base } from "./fixtures";
import { startRunner, TOOLS } from "./polling-runner";

const test = base.extend<{ folder: ExampleFolder }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright derives the dependencies from it
  folder: async ({}, use) => {
    const folder = createExampleFolder();
    folder.write("tools.mjs", TOOLS);
    await use(folder);
    await folder.remove();
  },
});

const NAMES = ["hold", "hold_again"];
const DYNAMIC_TOOLS = NAMES.map((name) => ({ name, repeatable: name === "hold_again" }));

test("a runner that is killed at work says so of what it had begun, and goes on with the rest", async ({
  server,
  api,
  folder,
}) => {
  const env = { HOLDER: "one", CONCURRENCY: "1" };
  const first = startRunner(folder, server, env);
  const { id } = await api.createChat({
    content: "use hold and hold_again",
    dynamic_tools: DYNAMIC_TOOLS,
  });
  await expect.poll(() => folder.lines("effects")).toHaveLength(1);
  first.signal("SIGKILL");
  expect(await first.ended).toBeNull();
  folder.write("go", "");

  startRunner(folder, server, env);
  await api.waitForStatus(id, ["waiting"]);
  expect(await listCalls(api, id)).toMatchObject([
    { tool_name: "hold", state: "error", output: expect.stringContaining("Unknown") as unknown },
    { tool_name: "hold_again", state: "completed", output: "one" },
  ]);
  expect(new Set(folder.lines("effects")).size).toBe(2);
  expect(folder.lines("effects")).toHaveLength(2);
});

test("a runner that stops gives back what may be run again, and ends what may not", async ({
  server,
  api,
  folder,
}) => {
  const first = startRunner(folder, server, { HOLDER: "one", CONCURRENCY: "2" });
  const { id } = await api.createChat({
    content: "use hold and hold_again",
    dynamic_tools: DYNAMIC_TOOLS,
  });
  await expect.poll(() => folder.lines("effects")).toHaveLength(2);
  first.signal("SIGTERM");
  startRunner(folder, server, { HOLDER: "two", CONCURRENCY: "2" });
  await expect.poll(() => folder.lines("effects")).toHaveLength(3);
  folder.write("go", "");
  expect(await first.ended).toBe(0);
  await api.waitForStatus(id, ["waiting"]);
  expect(await listCalls(api, id)).toMatchObject([
    { tool_name: "hold", state: "completed", output: "one" },
    { tool_name: "hold_again", state: "completed", output: "two" },
  ]);
});

test("two programs answer a tool each of one step", async ({ server, api, folder }) => {
  folder.write("go", "");
  for (const name of NAMES) {
    folder.write(`${name}.mjs`, `export { ${name} } from "./tools.mjs";`);
    startRunner(folder, server, { HOLDER: name }, `${name}.mjs`);
  }
  const { id } = await api.createChat({
    content: "use hold and hold_again",
    dynamic_tools: DYNAMIC_TOOLS,
  });
  await api.waitForStatus(id, ["waiting"]);
  const calls = await listCalls(api, id);
  expect(calls.map(({ output }) => output)).toEqual(NAMES);
  expect(folder.lines("effects")).toHaveLength(2);
});

test("the bot answers each message once, although it is killed and cut off", async ({
  server,
  folder,
}) => {
  await expectAnsweredOnce(folder, server, {
    messages: 6,
    threads: 2,
    blows: ["cut its connections", "kill the bot"],
  });
});
