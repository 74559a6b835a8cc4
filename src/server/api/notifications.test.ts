import { beforeAll, describe, expect, it } from "vitest";
import type { Problem } from "@/contract/problem";
import type { PushSubscription, PushSubscriptionList } from "@/contract/push";
import type { Database } from "@/server/db/connection/database";
import { createTestApi, type TestApi } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { createTestBrowser, startPushService } from "@/test/push-service";
import { createAccount, signIn, type TestAccount } from "@/test/session-client";

let db: Database;
let test: TestApi;
beforeAll(async () => {
  db = await testDatabase();
  test = createTestApi(db);
});

type Client = { rest: (route: string, body?: object) => Promise<Response> };

const ROUTE = "/notifications/subscriptions";
const createInput = (changes: object = {}) => ({
  endpoint: `https://push.example.org/${crypto.randomUUID()}`,
  keys: createTestBrowser().keys,
  ...changes,
});

const subscribe = async (client: Client, input: object): Promise<PushSubscription> => {
  const response = await client.rest(`POST ${ROUTE}`, input);
  expect(response.status).toBe(201);
  return (await response.json()) as PushSubscription;
};
const list = async (client: Client): Promise<PushSubscriptionList> =>
  (await (await client.rest(`GET ${ROUTE}`)).json()) as PushSubscriptionList;

const createPerson = async (account?: TestAccount) =>
  signIn(test, account ?? (await createAccount(db)));

describe("a browser", () => {
  it("is subscribed once, with what it wants, and changed by its address", async () => {
    const client = await createPerson();
    const input = createInput();
    const first = await subscribe(client, input);
    expect(first).toMatchObject({ needs_you: "all", done: "own", with_text: false });
    const second = await subscribe(client, { ...input, done: "off", with_text: true });
    expect(second).toMatchObject({ id: first.id, done: "off", with_text: true });
    const { data, public_key: key } = await list(client);
    expect(data).toEqual([second]);
    expect(Buffer.from(key, "base64url")).toHaveLength(65);
  });

  it("is subscribed no more when its person signs out", async () => {
    const account = await createAccount(db);
    const [phone, computer] = [await createPerson(account), await createPerson(account)];
    await subscribe(phone, createInput());
    const { id } = await subscribe(computer, createInput());
    const sessions = (await (await phone.rest("GET /account/sessions")).json()) as {
      data: { id: string; current: boolean }[];
    };
    const ended = sessions.data.find(({ current }) => current)?.id;
    await computer.rest(`DELETE /account/sessions/${ended}`);
    expect((await list(computer)).data.map((one) => one.id)).toEqual([id]);
  });

  it("is that of the person who is signed in there", async () => {
    const [before, now] = [await createPerson(), await createPerson()];
    const input = createInput();
    await subscribe(before, input);
    await subscribe(now, input);
    expect([(await list(before)).data.length, (await list(now)).data.length]).toEqual([0, 1]);
  });

  it("can be removed, once", async () => {
    const client = await createPerson();
    const { id } = await subscribe(client, createInput());
    expect((await client.rest(`DELETE ${ROUTE}/${id}`)).status).toBe(204);
    expect((await client.rest(`DELETE ${ROUTE}/${id}`)).status).toBe(404);
  });

  it("is one of twenty at most", async () => {
    const client = await createPerson();
    const first = createInput();
    await subscribe(client, first);
    for (let count = 1; count < 20; count++) await subscribe(client, createInput());
    const response = await client.rest(`POST ${ROUTE}`, createInput());
    expect(response.status).toBe(409);
    await subscribe(client, { ...first, done: "all" });
  });

  it.each([
    ["/endpoint", { endpoint: "http://push.example.org/1" }],
    ["/endpoint", { endpoint: "https://user@push.example.org/1" }],
    ["/endpoint", { endpoint: "file:///etc/passwd" }],
    ["/endpoint", { endpoint: "no address" }],
    ["/endpoint", { endpoint: `https://push.example.org/${"x".repeat(2_000)}` }],
    ["/keys/p256dh", { keys: { ...createTestBrowser().keys, p256dh: "A".repeat(86) } }],
    ["/keys/p256dh", { keys: { ...createTestBrowser().keys, p256dh: "A".repeat(87) } }],
    ["/keys/auth", { keys: { ...createTestBrowser().keys, auth: "A".repeat(23) } }],
    ["/done", { done: "always" }],
  ])("is refused with a wrong %s: %o", async (pointer, changes) => {
    const client = await createPerson();
    const response = await client.rest(`POST ${ROUTE}`, createInput(changes));
    const { errors } = (await response.json()) as Problem;
    expect(response.status).toBe(400);
    expect(errors?.[0]?.pointer).toBe(pointer);
    expect(test.faults).toEqual([]);
  });
});

describe("a test", () => {
  it("reaches the browser, or says why it does not", async () => {
    let status = 201;
    const service = await startPushService((response) => response.writeHead(status).end());
    const client = await createPerson();
    const browser = createTestBrowser();
    const endpoint = `${service.url}/1`;
    const { id } = await subscribe(client, createInput({ endpoint, keys: browser.keys }));
    const sendTest = async (): Promise<unknown> =>
      (await client.rest(`POST ${ROUTE}/${id}/test`)).json();

    expect(await sendTest()).toEqual({ problem: null });
    const body = service.requests[0]?.body ?? Buffer.alloc(0);
    expect(browser.decrypt(body)).toEqual({ kind: "test", chat_id: null, title: "Parley" });
    status = 403;
    expect(await sendTest()).toEqual({
      problem: `${new URL(service.url).host} answered with the status 403.`,
    });
    status = 410;
    expect(await sendTest()).toMatchObject({
      problem: expect.stringContaining("Turn notifications on again") as string,
    });
    await expect.poll(async () => (await list(client)).data).toEqual([]);
    await service.close();
  });
});
