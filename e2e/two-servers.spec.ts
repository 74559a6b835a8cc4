import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import type { ExecResult } from "@/contract/exec";
import { type Api, createApi } from "./api";
import { lastOutput, useExec } from "./exec-calls";
import { createTestServer, type TestServer } from "./server";

const TURNS = 6;

const countChildren = ({ pid }: TestServer): number => {
  const children = readFileSync(`/proc/${pid()}/task/${pid()}/children`, "utf8");
  return children.split(" ").filter((child) => child.trim() !== "").length;
};

test("a chat with a session is worked on where that runs, and elsewhere when its server is gone", async () => {
  const first = await createTestServer();
  const { database, owner } = first;
  const key = first.apiKey;
  const second = await createTestServer({
    database,
    settings: {
      PARLEY_OWNER_EMAIL: owner.email,
      PARLEY_OWNER_PASSWORD: owner.password,
      PARLEY_API_KEY: key,
    },
  });
  const apis = [first.api, createApi(second.url, key)] as const;
  const [api] = apis;
  try {
    await first.start();
    await second.start();
    const idle = new Map([first, second].map((server) => [server, countChildren(server)]));
    const act = async (
      client: Api,
      chatId: string,
      args: object,
    ): Promise<ExecResult | undefined> => {
      await client.send(chatId, useExec(args));
      await client.waitForStatus(chatId);
      return lastOutput(client, chatId);
    };
    const command = "while read line; do echo got $line; done";
    const { id } = await api.createChat({
      content: useExec({ action: "run", command, background: true, timeout: 0 }),
    });
    await api.waitForStatus(id);
    const started = await lastOutput(api, id);
    expect(started?.status).toBe("running");
    const session_id = started?.session_id;

    // Either may have taken the first turn; the other would not know the session.
    for (let turn = 0; turn < TURNS; turn += 1) {
      const result = await act(turn % 2 === 0 ? apis[0] : apis[1], id, {
        action: "write",
        session_id,
        data: `${turn}\n`,
      });
      expect(result).toMatchObject({ status: "running", output: `got ${turn}\n` });
    }
    const holders = [first, second].filter(
      (server) => countChildren(server) > (idle.get(server) ?? 0),
    );
    expect(holders).toHaveLength(1);
    const [holder] = holders;
    const other = holder === first ? apis[1] : apis[0];

    await holder?.kill();
    await other.send(id, useExec({ action: "read", session_id }));
    await expect.poll(async () => (await lastOutput(other, id))?.status).toBe("unknown");
    expect(await other.waitForStatus(id)).toMatchObject({ status: "waiting" });
  } finally {
    await second.stop();
    await first.remove();
  }
});
