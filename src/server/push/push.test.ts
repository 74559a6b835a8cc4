import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decideApprovals } from "@/server/chat/decide-approvals";
import { claimOpenCall } from "@/server/chat/claim-calls";
import { createChat } from "@/server/chat/create-chat";
import { interruptChat } from "@/server/chat/interrupt-chat";
import { sendMessage } from "@/server/chat/send-message";
import { updateChat } from "@/server/chat/update-chat";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import { claimNotification } from "@/server/db/push/push-subscription-writes";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { createPushSubscription } from "@/test/factories";
import { commitAnswer, openCall } from "@/test/park-chat";
import { createTestPush } from "@/test/push-fixture";
import {
  createTestBrowser,
  type PushRequest,
  readAuthorization,
  startPushService,
} from "@/test/push-service";
import type { Push } from "./push";

type Service = Awaited<ReturnType<typeof startPushService>>;

let db: Database;
let ctx: ServerContext;
let push: Push;
let service: Service;
let answer: { status: number; headers?: Record<string, string> };
const browser = createTestBrowser();

beforeEach(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
  push = createTestPush(db);
  answer = { status: 201 };
  service = await startPushService((response) =>
    response.writeHead(answer.status, answer.headers).end("ignored"),
  );
});
afterEach(async () => {
  await push.stop();
  await service.close();
});

const subscribeBrowser = async (fields: object = {}): Promise<string> => {
  // The keys exist before: new ones delete all subscriptions.
  await push.readPublicKey();
  return createPushSubscription(db, ctx.actor.userId, {
    endpoint: `${service.url}/send/${crypto.randomUUID()}`,
    ...browser.keys,
    ...fields,
  });
};

const SECRET = "The secret of the chat.";
const answerPart = { type: "text" as const, text: `**${SECRET}**` };

const startChat = async (from: ServerContext = ctx, title = "Trip to Rome"): Promise<string> => {
  const { id: chatId } = await createChat(from, { content: toTextContent("Question") });
  await updateChat(from, { chatId, title });
  return chatId;
};

const asProgram = (): ServerContext => ({
  ...ctx,
  actor: {
    ...ctx.actor,
    credential: {
      type: "api_key",
      id: crypto.randomUUID(),
      scopes: ["chat"],
      only: null,
      expiresAt: null,
    },
  },
});

const finishTurn = async (chatId: string): Promise<void> => {
  await commitAnswer(db, chatId, { parts: [answerPart], after: "finish" });
  await notify(chatId);
};
const parkChat = async (chatId: string): Promise<void> => {
  const parts = [openCall("a", "deploy", { state: "awaiting_approval" })];
  await commitAnswer(db, chatId, { parts, after: "park" });
  await notify(chatId);
};
const notify = async (chatId: string): Promise<void> => {
  push.handleTurnEnd(chatId);
  await push.settled();
};
const getRequest = (): PushRequest => {
  expect(service.requests).toHaveLength(1);
  const [request] = service.requests;
  if (!request) throw new Error("nothing was sent");
  return request;
};

describe("the end of a turn", () => {
  it("is sent as the RFCs say: encrypted, signed, with how long it matters", async () => {
    await subscribeBrowser();
    const chatId = await startChat();
    await finishTurn(chatId);

    const { headers, body } = getRequest();
    expect(browser.decrypt(body)).toEqual({ kind: "done", chat_id: chatId, title: "Trip to Rome" });
    expect(headers).toMatchObject({
      "content-encoding": "aes128gcm",
      "content-length": String(body.length),
      ttl: "28800",
      urgency: "normal",
      topic: Buffer.from(chatId.replaceAll("-", ""), "hex").toString("base64url"),
    });
    expect(headers).not.toHaveProperty("cookie");
    const { isSigned, publicKey, head, claims } = readAuthorization(headers.authorization);
    expect([isSigned, publicKey, head.alg]).toEqual([true, await push.readPublicKey(), "ES256"]);
    expect([claims.aud, claims.sub]).toEqual([service.url, "https://parley.test"]);
    const hours = (Number(claims.exp) * 1_000 - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(11);
    expect(hours).toBeLessThanOrEqual(24);
  });

  it("is sent as soon as the chat needs the person", async () => {
    await subscribeBrowser();
    const chatId = await startChat();
    await parkChat(chatId);
    const { headers, body } = getRequest();
    expect(browser.decrypt(body)).toMatchObject({ kind: "needs_you", chat_id: chatId });
    expect(headers).toMatchObject({ urgency: "high", ttl: "86400" });
  });

  it("waits for programs before it says that their calls need the person", async () => {
    await subscribeBrowser();
    let claim: () => Promise<unknown> = () => Promise.resolve();
    const patient = createTestPush(db, { wait: async () => void (await claim()) });
    const park = async (): Promise<string> => {
      const chatId = await startChat();
      await commitAnswer(db, chatId, { parts: [openCall("a", "deploy")], after: "park" });
      return chatId;
    };
    const [claimed, left] = [await park(), await park()];
    claim = () =>
      claimOpenCall(ctx, {
        chatId: claimed,
        toolCallId: "a",
        messageId: undefined,
        holder: "runner",
        leaseSeconds: 60,
      });
    patient.handleTurnEnd(claimed);
    await patient.settled();
    expect(service.requests).toEqual([]);
    claim = () => Promise.resolve();
    patient.handleTurnEnd(left);
    await patient.stop();
    expect(browser.decrypt(getRequest().body)).toMatchObject({ kind: "needs_you", chat_id: left });
  });

  it("has a text of the chat only if the person says so", async () => {
    await subscribeBrowser({ withText: true });
    const done = await startChat();
    await finishTurn(done);
    await parkChat(await startChat());
    const [first, second] = service.requests.map(({ body }) => browser.decrypt(body));
    expect(first?.text).toBe(SECRET);
    expect(second?.text).toBe("deploy");
  });

  it("fits for the longest titles and texts", async () => {
    await subscribeBrowser({ withText: true });
    const id = await startChat(ctx, "\u0001é".repeat(100));
    const parts = [{ ...answerPart, text: "\u0001\u{1F600}".repeat(50_000) }];
    await commitAnswer(db, id, { parts, after: "finish" });
    await notify(id);
    expect(getRequest().body.length).toBeLessThanOrEqual(4_096);
  });

  it("is of no concern after a stop, a change of the title, or while messages are queued", async () => {
    await subscribeBrowser();
    const stopped = await startChat();
    await interruptChat(ctx, { chatId: stopped });
    await notify(stopped);
    const renamed = await startChat();
    await finishTurn(renamed);
    await updateChat(ctx, { chatId: renamed, title: "Another" });
    await notify(renamed);
    await sendMessage(ctx, {
      chatId: renamed,
      content: toTextContent("more"),
      busyBehavior: "queue",
    });
    await notify(renamed);
    expect(service.requests).toHaveLength(1);
  });

  it("is sent by one of several processes", async () => {
    await subscribeBrowser();
    const other = createTestPush(db);
    const chatId = await startChat();
    await commitAnswer(db, chatId, { parts: [answerPart], after: "finish" });
    for (const one of [push, other, push, other]) one.handleTurnEnd(chatId);
    await Promise.all([push.settled(), other.settled()]);
    await other.stop();
    expect(service.requests).toHaveLength(1);
  });

  it("is claimed for the newest message, whatever process is first", async () => {
    const chatId = await startChat();
    const claim = (revision: number) => claimNotification(db, { chatId, revision });
    expect((await Promise.all([claim(5), claim(8)]))[1]).toBe(true);
    expect(await Promise.all([claim(5), claim(8), claim(9)])).toEqual([false, false, true]);
  });

  it("is sent again for the next turn", async () => {
    await subscribeBrowser();
    const chatId = await startChat();
    await parkChat(chatId);
    await decideApprovals(ctx, { chatId, decisions: [{ toolCallId: "a", decision: "reject" }] });
    await notify(chatId);
    await finishTurn(chatId);
    const kinds = service.requests.map(({ body }) => browser.decrypt(body).kind);
    expect(kinds).toEqual(["needs_you", "done"]);
  });
});

describe("a browser", () => {
  it.each([
    { choice: { needsYou: "off" }, expected: ["done", "done"] },
    { choice: { done: "off" }, expected: ["needs_you", "needs_you"] },
    { choice: { needsYou: "own", done: "off" }, expected: ["needs_you"] },
    { choice: { needsYou: "off", done: "own" }, expected: ["done"] },
  ])("is notified as it wants: $choice", async ({ choice, expected }) => {
    await subscribeBrowser(choice);
    for (const from of [ctx, asProgram()]) {
      await parkChat(await startChat(from));
      await finishTurn(await startChat(from));
    }
    expect(service.requests.map(({ body }) => browser.decrypt(body).kind)).toEqual(expected);
  });

  it("is not notified of chats of others", async () => {
    await subscribeBrowser();
    await finishTurn(await startChat(await createTestContext(db)));
    expect(service.requests).toEqual([]);
  });

  it("is not notified any more when its session has ended or expired", async () => {
    const id = await subscribeBrowser();
    const { sessionId } = await db.prisma.pushSubscription.findUniqueOrThrow({ where: { id } });
    await db.prisma.session.update({ where: { id: sessionId }, data: { expiresAt: new Date(0) } });
    await finishTurn(await startChat());
    expect(service.requests).toEqual([]);
    await db.prisma.session.delete({ where: { id: sessionId } });
    expect(await db.prisma.pushSubscription.count({ where: { id } })).toBe(0);
  });

  it.each([404, 410])("is removed when its service answers with %i", async (status) => {
    const id = await subscribeBrowser();
    answer = { status };
    await finishTurn(await startChat());
    await expect.poll(() => db.prisma.pushSubscription.count({ where: { id } })).toBe(0);
  });

  it.each([400, 403, 413])(
    "stays when its service answers with %i, and is not tried again",
    async (status) => {
      const id = await subscribeBrowser();
      answer = { status };
      await finishTurn(await startChat());
      expect(service.requests).toHaveLength(1);
      expect(await db.prisma.pushSubscription.count({ where: { id } })).toBe(1);
    },
  );

  it.each([429, 500, 503])("is tried again when its service answers with %i", async (status) => {
    await subscribeBrowser();
    answer = { status };
    await finishTurn(await startChat());
    expect(service.requests).toHaveLength(4);
  });

  it("is not followed to where its service redirects", async () => {
    await subscribeBrowser();
    const target = await startPushService();
    answer = { status: 307, headers: { location: target.url } };
    await finishTurn(await startChat());
    expect([service.requests.length, target.requests.length]).toEqual([1, 0]);
    await target.close();
  });

  it("is not reached at an address that is not public", async () => {
    const guarded = createTestPush(db, { allow: [] });
    const id = await subscribeBrowser();
    const row = await db.prisma.pushSubscription.findUniqueOrThrow({ where: { id } });
    const problem = await guarded.sendTest({ ...row, userAgent: null });
    expect(problem).toContain("no public address");
    expect(service.requests).toEqual([]);
    await guarded.stop();
  });
});

describe("the keys of the server", () => {
  it("are the same in all processes, and their secret is stored encrypted", async () => {
    const other = createTestPush(db);
    const publicKey = await push.readPublicKey();
    expect(await other.readPublicKey()).toBe(publicKey);
    expect(Buffer.from(publicKey, "base64url")).toHaveLength(65);
    await other.stop();
    const { value } = await db.prisma.setting.findUniqueOrThrow({ where: { key: "push_keys" } });
    expect(value).toEqual({
      public_key: publicKey,
      encrypted_key: expect.stringMatching(/^v1\./) as string,
    });
  });

  it("are made again with another secret of the server, and old subscriptions are removed", async () => {
    const id = await subscribeBrowser();
    const other = createTestPush(db, { secret: "another secret of a test" });
    expect(await other.readPublicKey()).not.toBe(await push.readPublicKey());
    expect(await db.prisma.pushSubscription.count({ where: { id } })).toBe(0);
    await other.stop();
    // Other tests of this file use the first secret.
    await db.prisma.setting.delete({ where: { key: "push_keys" } });
  });
});
