import { v7 as newId } from "uuid";
import type { ProviderName } from "@/contract/model";
import type { Prisma } from "@/server/db/generated/client";
import { ownedBy } from "@/server/db/chats/viewer";
import type { Database } from "@/server/db/connection/database";
import type { Viewer } from "@/server/db/chats/viewer";
import { createTestBrowser } from "./push-service";
import { testDatabase } from "./database";

/** Creates a user with a unique email address. @returns the user's id. */
export const createUser = async (
  db: Database,
  { role = "member" }: { role?: "owner" | "member" } = {},
): Promise<string> => {
  const id = newId();
  await db.query(
    {
      name: "test-create-user",
      text: `INSERT INTO "user" (id, name, email, role) VALUES ($1, $2, $3, $4)`,
    },
    [id, "Test user", `${id}@example.org`, role],
  );
  return id;
};

/** Creates, in the test database, a user whose chats a test reads and another one who may not read them. */
export const createOwner = async () => {
  const db = await testDatabase();
  const userId = await createUser(db);
  const viewer: Viewer = { userId };
  return { db, userId, viewer, otherId: await createUser(db) };
};

/** Creates a session of a user. @returns the session's id. */
export const createSession = async ({ prisma }: Database, userId: string): Promise<string> => {
  const id = newId();
  const expiresAt = new Date(Date.now() + 60 * 60_000);
  await prisma.session.create({ data: { id, token: newId(), userId, expiresAt } });
  return id;
};

/** Subscribes a browser of a user to notifications, in a session of its own. @returns the subscription's id. */
export const createPushSubscription = async (
  db: Database,
  userId: string,
  fields: Partial<Prisma.PushSubscriptionUncheckedCreateInput> = {},
): Promise<string> => {
  const id = newId();
  await db.prisma.pushSubscription.create({
    data: {
      id,
      userId,
      sessionId: await createSession(db, userId),
      // Nothing listens there.
      endpoint: `http://127.0.0.1:1/${id}`,
      ...createTestBrowser().keys,
      needsYou: "all",
      done: "all",
      withText: false,
      ...fields,
    },
  });
  return id;
};

/** Creates a model with a unique name. @returns the model's id. */
export const createModel = async (
  db: Database,
  {
    enabled = true,
    provider = "demo",
    baseUrl,
  }: { enabled?: boolean; provider?: ProviderName; baseUrl?: string } = {},
): Promise<string> => {
  const id = newId();
  await db.query(
    {
      name: "test-create-model",
      text: `INSERT INTO model (id, provider, model, name, enabled, base_url) VALUES ($1, $4, $2, $2, $3, $5)`,
    },
    [id, `test-${id}`, enabled, provider, baseUrl ?? null],
  );
  return id;
};

/** Keeps a text that a user begins chats with. @returns its id. */
export const createStartingText = async (db: Database, userId: string): Promise<string> => {
  const { id } = await db.prisma.startingText.create({
    data: { id: newId(), userId, text: "Translate:" },
  });
  return id;
};

/** Creates an import that is over. @returns its id. */
export const createImport = async (db: Database, userId: string): Promise<string> => {
  const id = newId();
  await db.prisma.import.create({
    data: { id, ...ownedBy({ userId }), name: "export.zip", state: "completed" },
  });
  return id;
};
