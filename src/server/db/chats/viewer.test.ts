import { beforeAll, describe, expect, it } from "vitest";
import type { Labels } from "@/contract/labels";
import { readChat } from "@/test/chat-probe";
import { writeChat } from "@/test/chat-rows";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { insertArtifact } from "./artifact-writes";
import { lockChat, lockWritableChat } from "@/server/db/sql/machine/row-locks";
import type { Database } from "@/server/db/connection/database";
import {
  allReadableSql,
  audienceSql,
  canRead,
  canWrite,
  isInAudience,
  ownedBy,
  readableBy,
  readableSql,
  toViewer,
  toViewerValue,
  type Viewer,
  writableSql,
} from "./viewer";

let db: Database;
let owner: Viewer;
let stranger: Viewer;
let chatId: string;
beforeAll(async () => {
  db = await testDatabase();
  owner = { userId: await createUser(db) };
  stranger = { userId: await createUser(db) };
  chatId = await writeChat(db, owner.userId);
  await writeChat(db, stranger.userId);
});

const hasChat = (chats: { id: string }[]): boolean => chats.some(({ id }) => id === chatId);

const findBySql = async (name: string, condition: string, viewer: Viewer): Promise<boolean> =>
  hasChat(
    await db.query<{ id: string }>(
      { name: `test-${name}`, text: `SELECT id FROM chat WHERE ${condition} AND id = $2::uuid` },
      [toViewerValue(viewer), chatId],
    ),
  );

/** Every form of the predicate, asked whether the viewer may do it with the owner's chat. */
const FORMS: Record<string, (viewer: Viewer) => Promise<boolean>> = {
  readableBy: async (viewer) =>
    hasChat(await db.prisma.chat.findMany({ where: readableBy(viewer), select: { id: true } })),
  readableSql: (viewer) => findBySql("readable", readableSql("$1", "chat"), viewer),
  writableSql: (viewer) => findBySql("writable", writableSql("$1", "chat"), viewer),
  allReadableSql: (viewer) => findBySql("all-readable", allReadableSql("$1", "chat"), viewer),
  canRead: async (viewer) => canRead(viewer, await readChat(db, chatId)),
  canWrite: async (viewer) => canWrite(viewer, await readChat(db, chatId)),
  lockWritableChat: async (viewer) =>
    (await db.transaction((tx) => lockWritableChat(tx, { chatId, viewer }))) !== undefined,
  isInAudience: async (viewer) => {
    const text = `SELECT ${audienceSql("c")} AS audience FROM chat c WHERE id = $1::uuid`;
    const [row] = await db.query<{ audience: string }>({ name: "test-audience", text }, [chatId]);
    return isInAudience(viewer, row?.audience ?? "");
  },
};

describe("the predicate", () => {
  it.each(Object.entries(FORMS))("%s accepts only the owner", async (_, isAllowed) => {
    expect(await isAllowed(owner)).toBe(true);
    expect(await isAllowed(stranger)).toBe(false);
    expect(await isAllowed({ userId: "" })).toBe(false);
  });
});

describe("a worker", () => {
  it("locks a chat without a viewer, and acts for its owner", async () => {
    const chat = await db.transaction((tx) => lockChat(tx, chatId));
    expect(chat && toViewer(chat)).toEqual(owner);
  });

  it("stores an artifact as the viewer's", async () => {
    const file = { toolCallId: "a", name: "a.txt", mediaType: "text/plain", bytes: Buffer.of(1) };
    const id = "0199c6f0-0000-7000-8000-00000000a11f";
    await insertArtifact(db, { id, chatId, viewer: owner, ...file });
    expect(await db.prisma.artifact.findUnique({ where: { id } })).toMatchObject(ownedBy(owner));
  });
});

const writeFamily = async (labels: Labels) => {
  const root = await writeChat(db, owner.userId, { labels: { ...labels, more: "1" } });
  const child = await writeChat(db, owner.userId);
  await db.prisma.chat.update({
    where: { id: child },
    data: { parentChatId: root, rootChatId: root },
  });
  return [root, child];
};

describe("the predicate for one chat", () => {
  it.each(Object.entries(FORMS))("%s accepts it and its agents", async (name, isAllowed) => {
    const [root = "", child = ""] = await writeFamily({});
    const only = async (seen: string, other: string) => {
      chatId = seen;
      return isAllowed({ ...owner, chatId: other });
    };
    const isExact = !["canWrite", "isInAudience"].includes(name);
    expect(await only(root, root)).toBe(true);
    expect(await only(child, root)).toBe(true);
    expect(await only(child, child)).toBe(true);
    expect(await only(root, child)).toBe(!isExact);
    expect(await only(await writeChat(db, owner.userId), root)).toBe(!isExact);
    expect(await only(await writeChat(db, stranger.userId), chatId)).toBe(false);
  });
});

describe("the predicate for labels", () => {
  const LABELS = { app: "slackbot", "__proto__ 'x\"": "" };
  const listSeen = async (isAllowed: (typeof FORMS)[string], ids: readonly string[]) => {
    const seen: boolean[] = [];
    for (const id of ids) {
      chatId = id;
      seen.push(await isAllowed({ ...owner, labels: LABELS }));
    }
    return seen;
  };

  /** A child does not say what labels its root has, and the other form reads nothing before. */
  const INEXACT: Record<string, boolean[]> = {
    canRead: [true, false, false, false],
    canWrite: [true, true, true, true],
    isInAudience: [true, true, true, true],
  };
  it.each(Object.entries(FORMS))(
    "%s accepts chats that have all, and agents",
    async (name, form) => {
      const ids = [
        ...(await writeFamily(LABELS)),
        ...(await writeFamily({ app: "slackbot" })).slice(0, 1),
        ...(await writeFamily({ ...LABELS, app: "Slackbot" })).slice(1),
      ];
      expect(await listSeen(form, ids)).toEqual(INEXACT[name] ?? [true, true, false, false]);
    },
  );

  it.each(Object.entries(FORMS))("%s accepts none of another user", async (_name, form) => {
    chatId = await writeChat(db, stranger.userId, { labels: LABELS });
    expect(await form({ ...owner, labels: LABELS })).toBe(false);
  });
});
