import { lastOutput, useExec } from "../exec-calls";
import { expect, test } from "../fixtures";
import { createTestServer } from "../server";

test("without a sandbox, each command asks, and obeys no settings that the model has written", async () => {
  const server = await createTestServer({ settings: { PARLEY_EXEC_SANDBOX: "none" } });
  const { api } = server;
  try {
    await server.start();
    const { id } = await api.createChat({
      content: 'write "[alias]\n\tst = !echo written by the model" to .gitconfig',
    });
    await api.waitForStatus(id);

    const run = useExec({
      action: "run",
      command: "git st; ls -A $HOME; grep -c alias .gitconfig; echo end",
    });
    for (const attempt of [1, 2]) {
      await api.send(id, run);
      const { required_action: action } = await api.waitForStatus(id, ["requires_action"]);
      const [approval] = action?.approvals ?? [];
      const decide = (more: object) =>
        api.request(`POST /chats/${id}/approvals`, {
          decisions: [{ tool_call_id: approval?.tool_call_id, decision: "approve", ...more }],
        });
      expect((await decide({ scope: "chat" })).status, `attempt ${attempt}`).toBe(400);
      expect((await decide({ scope: "tool", pattern: "git *" })).status).toBe(400);
      expect((await decide({})).status).toBe(204);
      await api.waitForStatus(id);
      const { output } = (await lastOutput(api, id)) ?? {};
      expect(output).toMatch(/\n1\nend\n$/);
      expect(output).not.toMatch(/written by the model|\.gitconfig/);
    }
  } finally {
    await server.remove();
  }
});
