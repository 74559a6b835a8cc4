import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Problem } from "@/contract/problem";
import type { Credential } from "@/server/context";
import { createCredentialCaches } from "@/server/auth/credential-cache";
import { createCredentialWatch } from "@/server/auth/credential-watch";
import type { Database } from "@/server/db/connection/database";
import { readClock } from "@/server/db/sql/machine/clock-reads";
import { createClient, createTestApi, ORIGIN, type TestApi } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { createUnreachableDatabase, replaceModels } from "@/test/database-doubles";
import { HANGING } from "@/test/hanging";
import { createAccount, PASSWORD, postAuth, signIn } from "@/test/session-client";

/** What clients are promised. */
const MAX_END_MS = 10_000;

let db: Database;
let test: TestApi;
beforeAll(async () => {
  db = await testDatabase();
  test = createTestApi(db);
});

type OpenStream = { text: () => string; ended: Promise<void> };

/** Reads a stream until it ends. Resolves when the stream has sent something. */
const openStream = async (response: Response): Promise<OpenStream> => {
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw new Error("the response has no body");
  let text = (await reader.read()).value ?? "";
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
    }
  };
  return { text: () => text, ended: read() };
};

type Requests = {
  rest: (route: string, body?: object) => Promise<Response>;
  trpc: (path: string) => Promise<Response>;
};

/** Opens each kind of stream that the API has. */
const openStreams = async ({ rest, trpc }: Requests): Promise<OpenStream[]> => {
  const created = await rest("POST /chats", { content: "Hello" });
  const { id } = (await created.json()) as { id: string };
  const input = encodeURIComponent(JSON.stringify({ chat_id: id }));
  return Promise.all(
    [
      await rest(`GET /chats/${id}/stream`),
      await rest("GET /watch"),
      await trpc("chats.watchAll"),
      await trpc(`chats.watch?input=${input}`),
    ].map(openStream),
  );
};

const expectEnd = async (streams: readonly OpenStream[]): Promise<void> => {
  const timeout = new AbortController();
  const all = Promise.all(streams.map(({ ended }) => ended)).then(() => "ended");
  const result = await Promise.race([
    all,
    delay(MAX_END_MS, "still open", { signal: timeout.signal }).catch(() => "cancelled"),
  ]);
  timeout.abort();
  expect(result).toBe("ended");
  for (const stream of streams.slice(2)) {
    const [, data = "{}"] = /event: serialized-error\ndata: (.*)/.exec(stream.text()) ?? [];
    const { data: shape } = JSON.parse(data) as { data?: { problem: Problem } };
    expect(shape?.problem.code).toBe("unauthorized");
  }
};

const createKeyRequests = async () => {
  const client = await createClient(db, test);
  return {
    ...client,
    rest: (route: string, body?: object) => test.api.handleRest(client.request(route, body)),
    trpc: (path: string) =>
      test.api.handleTrpc(
        new Request(`${ORIGIN}/api/trpc/${path}`, {
          headers: { authorization: `Bearer ${client.key}` },
        }),
      ),
  };
};

// At the same time, as each waits until the credentials are checked.
describe.concurrent("open streams end", () => {
  it("after another process has revoked their key", async () => {
    const client = await createKeyRequests();
    const streams = await openStreams(client);
    const follow = await openStream(
      await test.api.handleRest(
        client.request("POST /chats", { content: "Hi" }, { accept: "text/event-stream" }),
      ),
    );
    await db.prisma.apiKey.updateMany({
      where: { id: client.keyId },
      data: { revokedAt: new Date() },
    });
    await expectEnd([streams[0] ?? follow, streams[1] ?? follow, ...streams.slice(2)]);
    await follow.ended;
    expect((await client.rest("GET /watch")).status).toBe(401);
  });

  it("after their key has expired", async () => {
    const client = await createKeyRequests();
    const streams = await openStreams(client);
    await db.prisma.apiKey.updateMany({
      where: { id: client.keyId },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    });
    await expectEnd(streams);
  });

  it("after a sign-out", async () => {
    const client = await signIn(test, await createAccount(db));
    const streams = await openStreams(client);
    await postAuth(test, "/sign-out", { cookie: client.cookie });
    await expectEnd(streams);
  });

  it("after a change of the password in another browser, whose streams go on", async () => {
    const account = await createAccount(db);
    const [client, other] = [await signIn(test, account), await signIn(test, account)];
    const streams = await openStreams(client);
    const [remaining] = await openStreams(other);
    const onEnd = vi.fn();
    const watching = remaining?.ended.then(onEnd);
    const changed = await other.rest("POST /account/password", {
      current_password: PASSWORD,
      new_password: "another horse battery",
    });
    expect(changed.status).toBe(204);
    await expectEnd(streams);
    expect(onEnd).not.toHaveBeenCalled();
    await postAuth(test, "/sign-out", { cookie: other.cookie });
    await watching;
  });
});

describe("createCredentialWatch", () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const useFakeTimers = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

  const createCountedDatabase = () => {
    let queries = 0;
    const findMany = (args: object) => {
      queries += 1;
      return db.prisma.apiKey.findMany(args);
    };
    return {
      db: replaceModels(db, { apiKey: { findMany } }),
      count: () => queries,
    };
  };

  const toCredential = (id: string): Credential => ({
    type: "api_key",
    id,
    scopes: ["read"],
    only: null,
    expiresAt: null,
  });

  it("costs one query per interval for a thousand streams, and none without a stream", async () => {
    const { keyId } = await createClient(db, test);
    const counted = createCountedDatabase();
    useFakeTimers();
    const watch = createCredentialWatch(counted.db, createCredentialCaches());
    const onEnded = vi.fn();
    const stops = Array.from({ length: 1_000 }, () => watch(toCredential(keyId), onEnded));
    const wait = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second++) {
        await vi.advanceTimersByTimeAsync(1_000);
        // A check runs on the same database and is over when this read is.
        await readClock(db);
      }
    };
    await wait(21);
    const queries = counted.count();
    expect(queries).toBeGreaterThan(0);
    expect(queries).toBeLessThanOrEqual(5);
    for (const stop of stops) stop();
    await wait(21);
    // One check may have been running when the streams ended.
    expect(counted.count()).toBeLessThanOrEqual(queries + 1);
    expect(onEnded).not.toHaveBeenCalled();
  });

  it("calls back only for credentials that ended", async () => {
    const [first, second] = [await createClient(db, test), await createClient(db, test)];
    useFakeTimers();
    const watch = createCredentialWatch(db, createCredentialCaches());
    const [onFirst, onSecond] = [vi.fn(), vi.fn()];
    watch(toCredential(first.keyId), onFirst);
    const stop = watch(toCredential(second.keyId), onSecond);
    await db.prisma.apiKey.deleteMany({ where: { id: first.keyId } });
    await vi.advanceTimersByTimeAsync(4_000);
    await vi.waitFor(() => expect(onFirst).toHaveBeenCalledTimes(1), HANGING);
    expect(onSecond).not.toHaveBeenCalled();
    stop();
  });

  it("ends nothing while the database cannot be reached", async () => {
    useFakeTimers();
    const watch = createCredentialWatch(
      createUnreachableDatabase(db, "gone"),
      createCredentialCaches(),
    );
    const onEnded = vi.fn();
    const stop = watch(toCredential("any"), onEnded);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(onEnded).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(1);
    stop();
  });
});
