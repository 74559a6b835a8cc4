import { v7 as newId } from "uuid";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database, Transaction } from "@/server/db/connection/database";
import type { Prisma } from "@/server/db/generated/client";
import { writeChat } from "@/test/chat-rows";
import { emptyTables, testDatabase, testServerUrl } from "@/test/database";
import { createModel, createUser } from "@/test/factories";
import { recordPlan } from "@/test/record-plan";
import { runWithoutIndexes } from "@/test/without-indexes";
import { holdSessions } from "@/server/db/tasks/session-holds";
import { END_ALL_LEASES } from "@/server/db/sql/rows/chat-row";
import { TOOL_MODE_PREFIX } from "@/server/db/settings/setting-reads";
import { recordHeartbeat } from "@/server/db/sql/writes/dated-writes";
import { lockChat } from "./row-locks";
import { claimChats, claimNewChats, readLeasedStates, renewLeases } from "./claim";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

const run = (text: string) => db.query({ name: `test-${text.replace(/\W+/g, "-")}`, text }, []);

// The next files of this worker have the same database, and models and settings count for all chats.
afterAll(() => emptyTables(db, "chat", "model", "setting"));

it("claims the oldest chats up to the limit, also by a plan that was made for an empty table", async () => {
  await emptyTables(db, "chat");
  await run("ANALYZE chat");
  expect(await claimChats(db, { owner: "worker", limit: 2 })).toEqual([]);
  const userId = await createUser(db);
  const chatIds: string[] = [];
  // The oldest are not those that the table has first.
  for (let minute = 6; minute > 0; minute -= 1) {
    const updatedAt = new Date(Date.UTC(2026, 0, 1, 0, minute));
    chatIds.unshift(await writeChat(db, userId, { status: "pending", updatedAt }));
  }

  const claim = (tx: Transaction) => claimChats(tx, { owner: "worker", limit: 2 });
  const claimed = await claim(db);
  expect(claimed.map(({ id }) => id).toSorted()).toEqual(chatIds.slice(0, 2).toSorted());
  const next = await runWithoutIndexes(db, claim);
  expect(next.map(({ id }) => id).toSorted()).toEqual(chatIds.slice(2, 4).toSorted());
});

it("shares the slots of the default model among the chats whose own model is not enabled", async () => {
  await emptyTables(db, "chat", "model");
  const userId = await createUser(db);
  const disabled = await createModel(db, { provider: "anthropic", enabled: false });
  await createModel(db, { provider: "openai" });
  const byDefault = await createModel(db, { provider: "google" });
  const setDefault = (id: string, isDefault: boolean) =>
    db.prisma.model.update({ where: { id }, data: { isDefault } });
  const claim = async () => {
    const id = await writeChat(db, userId, { status: "pending" });
    await db.prisma.chat.update({ where: { id }, data: { modelId: disabled } });
    const [claimed] = await claimChats(db, { owner: "worker", limit: 1 });
    return claimed?.groups[1];
  };
  await setDefault(disabled, true);
  expect(await claim()).toBe("provider openai");
  await setDefault(disabled, false);
  await setDefault(byDefault, true);
  expect(await claim()).toBe("provider google");
});

it("claims chats without a worker, with the settings of that moment", async () => {
  await emptyTables(db, "chat", "setting");
  const userId = await createUser(db);
  const past = { leaseOwner: "gone", leaseToken: newId(), leaseExpiresAt: new Date(0) };
  const held = { ...past, leaseExpiresAt: new Date(Date.now() + 60_000) };
  const add = async (title: string, data: Prisma.ChatUncheckedUpdateInput) => {
    const id = await writeChat(db, userId, { title });
    await db.prisma.chat.update({ where: { id }, data });
    return id;
  };
  await add("waits for a worker", { status: "pending" });
  await add("was left", { status: "running", ...past });
  await add("was stopped before it began", { status: "interrupting" });
  await add("was deferred until now", { status: "pending", notBefore: new Date(0) });
  await add("is worked on", { status: "running", ...held });
  await add("is stopped by its worker", { status: "interrupting", ...held });
  const fresh = await add("is new", { status: "pending" });
  const settings = { [`${TOOL_MODE_PREFIX}exec`]: "off", other: "off", another: "off" };
  await db.prisma.setting.createMany({
    data: Object.entries(settings).map(([key, value]) => ({ key, value })),
  });

  const room = { owner: "worker", limit: 10, full: [] };
  const [first] = await claimNewChats(db, { ...room, chatIds: [fresh] });
  expect(first).toMatchObject({ title: "is new" });
  // Other settings are no modes of tools.
  expect(first?.toolModes).toEqual({ exec: "off" });
  const others = await claimChats(db, room);
  expect(others.map(({ title }) => title).toSorted()).toEqual(
    [
      "waits for a worker",
      "was deferred until now",
      "was left",
      "was stopped before it began",
    ].toSorted(),
  );
});

it("renews the leases of a worker that are named, and reads the chats that are", async () => {
  await emptyTables(db, "chat");
  const userId = await createUser(db);
  const [token, other] = [newId(), newId()];
  const add = async (leaseOwner: string, leaseToken: string) => {
    const id = await writeChat(db, userId, { status: "running" });
    const leaseExpiresAt = new Date(0);
    await db.prisma.chat.update({
      where: { id },
      data: { leaseOwner, leaseToken, leaseExpiresAt },
    });
    return id;
  };
  const renewed = await add("worker", token);
  const others = [await add("worker", other), await add("other", token)];
  expect(await renewLeases(db, { owner: "worker", leaseTokens: [token] })).toEqual(
    new Set([token]),
  );
  const kept = await db.prisma.chat.findMany({ where: { leaseExpiresAt: new Date(0) } });
  expect(kept.map(({ id }) => id).toSorted()).toEqual(others.toSorted());
  expect(await readLeasedStates(db, [renewed])).toEqual(
    new Map([[renewed, { status: "running", leaseToken: token }]]),
  );
});

it("finds its chats by their index, in its order", async () => {
  const plan = await recordPlan(db, (explained) =>
    claimChats(explained, { owner: "worker", limit: 2 }),
  );

  expect(plan).toContain("Index Scan using chat_work_idx");
  expect(plan).not.toContain("Bitmap");
});

it("takes no chat of a full owner or provider, and none that is deferred, but all that are interrupted", async () => {
  await emptyTables(db, "chat", "model");
  const [userId, otherId] = [await createUser(db), await createUser(db)];
  const [first, second] = [
    await createModel(db, { provider: "openai" }),
    await createModel(db, { provider: "google" }),
  ];
  const add = async (owner: string, data: Prisma.ChatUncheckedUpdateInput = {}) => {
    const id = await writeChat(db, owner, { status: "pending" });
    await db.prisma.chat.update({ where: { id }, data });
    return id;
  };
  const byDefault = await add(userId);
  const disabled = await add(userId, { modelId: await createModel(db, { enabled: false }) });
  const google = await add(userId, { modelId: second });
  const other = await add(otherId, { modelId: first });
  const interrupted = await add(userId, { status: "interrupting" });
  await add(otherId, { notBefore: new Date(Date.now() + 60_000) });
  const release = () =>
    run(`UPDATE chat SET status = 'pending', lease_token = NULL, lease_expires_at = NULL
      WHERE status = 'running'`);
  const claim = async (...full: string[]) => {
    const claimed = await claimChats(db, { owner: "worker", limit: 10, full });
    await release();
    return claimed.map(({ id }) => id).filter((id) => id !== interrupted);
  };

  const taken = await claimChats(db, { owner: "worker", limit: 10 });
  const groups = new Map(taken.map((chat) => [chat.id, chat.groups]));
  expect(groups.get(byDefault)?.[1]).toBe("provider openai");
  expect(groups.get(disabled)).toEqual(groups.get(byDefault));
  expect(groups.get(google)?.[0]).toBe(groups.get(byDefault)?.[0]);
  expect(groups.has(interrupted)).toBe(true);
  expect(groups.size).toBe(5);

  await release();
  const [owner = "", provider = "", both = ""] = groups.get(byDefault) ?? [];
  expect((await claim(owner)).toSorted()).toEqual([other]);
  expect((await claim(provider)).toSorted()).toEqual([google]);
  expect((await claim(both)).toSorted()).toEqual([google, other].toSorted());
  await run(
    "UPDATE chat SET lease_expires_at = now() - interval '1 second' WHERE lease_token IS NOT NULL",
  );
  const again = await claimChats(db, { owner: "worker", limit: 10, full: [owner] });
  expect(again.map(({ id }) => id)).toContain(interrupted);
});

it("leaves a chat with exec sessions to the worker that has them, until that is gone", async () => {
  await emptyTables(db, "chat");
  const userId = await createUser(db);
  const chatId = await writeChat(db, userId, { status: "pending" });
  const claim = async (owner: string) =>
    (await claimChats(db, { owner, limit: 10 })).map(({ sessionOwner }) => sessionOwner);
  const release = () =>
    run(`UPDATE chat SET status = 'pending', lease_owner = NULL, lease_token = NULL,
      lease_expires_at = NULL`);
  await recordHeartbeat(db, "holder");
  expect(await claim("holder")).toEqual([null]);
  expect(await holdSessions(db, { owner: "holder", chatId })).toEqual({ renewed: false });
  expect(await holdSessions(db, { owner: "holder", chatId })).toEqual({ renewed: true });
  await release();

  expect(await claim("other")).toEqual([]);
  expect(await claim("holder")).toEqual(["holder"]);
  await release();

  await run("UPDATE worker SET seen_at = now() - interval '29 seconds' WHERE owner = 'holder'");
  expect(await claim("other")).toEqual([]);
  await run("UPDATE worker SET seen_at = now() - interval '31 seconds' WHERE owner = 'holder'");
  expect(await claim("other")).toEqual([null]);
  expect(await holdSessions(db, { owner: "holder", chatId })).toBeUndefined();
});

it("ends all leases and exec sessions, also of chats that have one of them", async () => {
  await emptyTables(db, "chat");
  const userId = await createUser(db);
  for (const data of [{ leaseToken: newId(), leaseOwner: "gone" }, { sessionOwner: "gone" }]) {
    const id = await writeChat(db, userId);
    await db.prisma.chat.update({ where: { id }, data });
  }
  await db.query({ name: "test-end-all-leases", text: END_ALL_LEASES }, []);
  const ended = { leaseToken: null, leaseOwner: null, sessionOwner: null };
  expect(await db.prisma.chat.findMany()).toMatchObject([ended, ended]);
});

// The embedded database has one connection, on which nothing else is locked.
if (testServerUrl) {
  it("does not wait for a chat that somebody changes, and takes the next one", async () => {
    await emptyTables(db, "chat");
    const userId = await createUser(db);
    const changed = await writeChat(db, userId, { status: "pending", updatedAt: new Date(0) });
    const next = await writeChat(db, userId, { status: "pending" });
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const changing = db.transaction(async (tx) => {
      await lockChat(tx, changed);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const claiming = claimChats(db, { owner: "worker", limit: 1 }).finally(release.resolve);
    expect((await claiming).map(({ id }) => id)).toEqual([next]);
    await changing;
  });
}
