import { isUuid } from "@/lib/is-uuid";
import type { Database, Queryable, Transaction } from "@/server/db/connection/database";
import { saveSetting } from "@/server/db/sql/writes/dated-writes";
import { lockTable } from "@/server/db/sql/machine/table-locks";
import { publishPushChange } from "@/server/db/sql/writes/setting-notices";
import { SERVER_KEY } from "@/server/db/settings/setting-writes";
import type { PushSubscriptionRow } from "./push-subscription-reads";

type NewSubscription = Omit<PushSubscriptionRow, "userAgent" | "createdAt"> & {
  userId: string;
  sessionId: string;
};

/** Adds a browser, or replaces what is stored of it: its address is its identity. @returns its id. */
export const savePushSubscription = async (
  tx: Transaction,
  { id, endpoint, ...fields }: NewSubscription,
): Promise<string> => {
  const stored = await tx.prisma.pushSubscription.upsert({
    where: { endpoint },
    create: { id, endpoint, ...fields },
    update: fields,
    select: { id: true },
  });
  await publishPushChange(tx);
  return stored.id;
};

/** @returns false when the user has no such browser. */
export const deletePushSubscription = async (
  { prisma }: Queryable,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> => {
  if (!isUuid(id)) return false;
  const { count } = await prisma.pushSubscription.deleteMany({ where: { id, userId } });
  return count > 0;
};

/** Removes an address that its push service does not know any more. */
export const deletePushEndpoint = async (
  { prisma }: Queryable,
  endpoint: string,
): Promise<void> => {
  await prisma.pushSubscription.deleteMany({ where: { endpoint } });
};

/**
 * Claims the notification of a chat's last message: of several processes, one gets it.
 *
 * @param revision the revision of the message.
 */
export const claimNotification = async (
  { prisma }: Queryable,
  { chatId, revision }: { chatId: string; revision: number },
): Promise<boolean> => {
  // In this order: the row of another process, which is there by then, may be of an older message.
  const data = [{ chatId, revision }];
  if ((await prisma.pushMark.createMany({ data, skipDuplicates: true })).count > 0) return true;
  const where = { chatId, revision: { lt: revision } };
  return (await prisma.pushMark.updateMany({ where, data: { revision } })).count > 0;
};

/**
 * Returns the keys by which push services know this server. The first call stores those that it is given, and so does one
 * that cannot use what is stored; the subscriptions that were made for other keys are useless then, and are deleted.
 *
 * @param parse returns undefined for what it cannot use.
 */
export const ensurePushKeys = <Keys>(
  db: Database,
  parse: (stored: unknown) => Keys | undefined,
  create: () => { keys: Keys; stored: object },
): Promise<Keys> =>
  db.transaction(async (tx) => {
    await lockTable(tx, "setting");
    const row = await tx.prisma.setting.findUnique({ where: { key: SERVER_KEY.pushKeys } });
    const known = parse(row?.value);
    if (known !== undefined) return known;
    const { keys, stored } = create();
    await saveSetting(tx, { key: SERVER_KEY.pushKeys, value: stored });
    await tx.prisma.pushSubscription.deleteMany();
    return keys;
  });
