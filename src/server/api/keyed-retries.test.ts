import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createClient, type TestClient } from "@/test/api-client";
import { testServerUrl } from "@/test/database";
import {
  createMigratedDatabase,
  expectOnceInCrashes,
  expectOnceInCuts,
  parkChat,
  startKeyedServer,
} from "@/test/keyed-rounds";

/** A few: the deep tests have many. */
const CUTS = 10;

describe("requests with an Idempotency-Key that are sent until they are answered", () => {
  // Two starts of a server with an embedded database.
  it("are carried out once though the server crashes", { timeout: 300_000 }, () =>
    expectOnceInCrashes(1),
  );
});

if (testServerUrl) {
  const server = testServerUrl;

  describe("requests with an Idempotency-Key while connections to the database break", () => {
    it(`are carried out once in ${CUTS} cuts`, () => expectOnceInCuts(server, CUTS));

    describe("after COMMIT was sent", () => {
      let proxy: Awaited<ReturnType<typeof startCommitCutter>>;
      let running: Awaited<ReturnType<typeof startKeyedServer>>;
      let client: TestClient;
      beforeAll(async () => {
        const databaseUrl = await createMigratedDatabase(server, "_commits");
        proxy = await startCommitCutter(new URL(databaseUrl));
        running = await startKeyedServer(proxy.url);
        client = await createClient(running.db, running.api);
      });
      afterEach(() => {
        proxy.setUnreachable(false);
      });
      afterAll(async () => {
        await running.close();
        await proxy.close();
      });
      const keyed = (key: string) => ({ "idempotency-key": key });
      const countChats = () => running.db.prisma.chat.count({ where: { title: "Once" } });

      it("answer what was committed, if the database is there again", async () => {
        proxy.cutNextCommit();
        const first = await client.call("POST /chats", { content: "Once" }, keyed("a"));
        expect(proxy.cuts()).toBe(1);
        expect(first.status).toBe(201);
        const again = await client.call("POST /chats", { content: "Once" }, keyed("a"));
        expect(again.body).toEqual(first.body);
        expect(await countChats()).toBe(1);
      });

      it("fail if it is away, and a retry finds what was committed", async () => {
        const id = await parkChat(running.db, client.userId);
        const answer = () =>
          client.call(
            `POST /chats/${id}/tool-results`,
            { results: [{ tool_call_id: "call", output: 1 }] },
            keyed("b"),
          );
        const before = proxy.cuts();
        proxy.cutNextCommit({ thenUnreachable: true });
        const first = await answer();
        expect(proxy.cuts()).toBe(before + 1);
        expect(first.status).toBeGreaterThanOrEqual(500);
        proxy.setUnreachable(false);
        await expect.poll(async () => (await answer()).status).toBe(204);
        expect((await answer()).headers.get("idempotency-replayed")).toBe("true");
      });
    });
  });
}

/** A TCP proxy that can close a connection when the server has answered a COMMIT, before the client sees it. */
const startCommitCutter = async (target: URL) => {
  const sockets = new Set<Socket>();
  let cuts = 0;
  let next: { thenUnreachable: boolean } | undefined;
  let isUnreachable = false;
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const proxy = createServer((client) => {
    if (isUnreachable) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    let isCut = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (bytes) => {
      isCut ||= next !== undefined && bytes.includes("COMMIT\0");
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (!isCut) {
        client.write(bytes);
        return;
      }
      cuts += 1;
      isUnreachable = next?.thenUnreachable ?? false;
      next = undefined;
      if (isUnreachable) closeAll();
      else client.destroy();
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address();
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String(typeof address === "object" ? address?.port : "");
  return {
    url: url.toString(),
    cuts: (): number => cuts,
    cutNextCommit: ({ thenUnreachable = false } = {}): void => {
      next = { thenUnreachable };
    },
    setUnreachable: (value: boolean): void => {
      isUnreachable = value;
    },
    close: async (): Promise<void> => {
      closeAll();
      proxy.close();
      await once(proxy, "close");
    },
  };
};
