import { lastOutput, useExec } from "../exec-calls";
import { expect, test } from "../fixtures";

test("a command that prints guesses of the owner's password learns nothing", async ({
  api,
  server,
}) => {
  const { password } = server.owner;
  const command = `printf '%s\\n' 'Summer 2026' '${password}' '${btoa(`owner:${password}`)}'`;
  const { id } = await api.createChat({ content: useExec({ action: "run", command }) });
  await api.waitForStatus(id);
  const guesses = ["Summer 2026", password, btoa(`owner:${password}`)];
  expect((await lastOutput(api, id))?.output).toBe(`${guesses.join("\n")}\n`);
});
