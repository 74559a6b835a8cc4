import { v7 as newId } from "uuid";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { createClient, createTestApi, type TestApi } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import {
  createAccount,
  createCookieClient,
  PASSWORD,
  signIn,
  type TestAccount,
} from "@/test/session-client";
import { resetOwner } from "./reset-owner";

let db: Database;
let test: TestApi;
let owner: TestAccount;
beforeAll(async () => {
  db = await testDatabase();
  test = createTestApi(db);
});
beforeEach(async () => {
  await db.prisma.user.deleteMany();
  owner = await createAccount(db, { role: "owner" });
});

it("sets a random password and signs out all browsers, but keeps the keys", async () => {
  const session = await signIn(test, owner);
  expect((await session.rest("GET /chats")).status).toBe(200);
  await db.prisma.apiKey.deleteMany();
  const key = await createClient(db, test);

  const { email, password } = await resetOwner(db, null);

  expect(email).toBe(owner.email);
  expect(password).toMatch(/^[\w-]{24}$/);
  // The program that resets it is not the server, which trusts for some seconds what it has read.
  const browser = createCookieClient(createTestApi(db), session.cookie);
  expect((await browser.rest("GET /chats")).status).toBe(401);
  await expect(signIn(test, owner, PASSWORD)).rejects.toThrow("wrong");
  await expect(signIn(test, owner, password)).resolves.toBeDefined();
  expect((await key.call("GET /chats")).status).toBe(200);
});

it("sets a given password", async () => {
  expect(await resetOwner(db, "a given password")).toMatchObject({ password: "a given password" });
  await expect(signIn(test, owner, "a given password")).resolves.toBeDefined();
});

it("refuses a password that is too short, and changes nothing", async () => {
  const session = await signIn(test, owner);
  await expect(resetOwner(db, "short")).rejects.toThrow("The password has 5 characters");
  expect((await session.rest("GET /chats")).status).toBe(200);
});

it("says what to do when there is no owner", async () => {
  await db.prisma.user.updateMany({ data: { role: "member", id: newId() } });
  await expect(resetOwner(db, null)).rejects.toThrow("There is no owner yet");
});
