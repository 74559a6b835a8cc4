import type { PushScope } from "@/contract/push";
import { isUuid } from "@/lib/is-uuid";
import type { Queryable } from "@/server/db/connection/database";
import { readClock } from "@/server/db/sql/machine/clock-reads";

/** A browser that is notified, with what the notification is encrypted with. */
export type PushSubscriptionRow = {
  id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  needsYou: PushScope;
  done: PushScope;
  withText: boolean;
  userAgent: string | null;
  createdAt: Date;
};

const SELECTED = {
  id: true,
  endpoint: true,
  p256dh: true,
  auth: true,
  needsYou: true,
  done: true,
  withText: true,
  createdAt: true,
  session: { select: { userAgent: true } },
} as const;

type Stored = Omit<PushSubscriptionRow, "userAgent"> & { session: { userAgent: string | null } };

const toRow = ({ session, ...row }: Stored): PushSubscriptionRow => ({
  ...row,
  userAgent: session.userAgent,
});

/** The browsers of a user whose sessions work, the oldest subscription first. */
export const listPushSubscriptions = async (
  db: Queryable,
  userId: string,
): Promise<PushSubscriptionRow[]> => {
  const where = { userId, session: { expiresAt: { gt: await readClock(db) } } };
  const rows = await db.prisma.pushSubscription.findMany({
    where,
    select: SELECTED,
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return rows.map(toRow);
};

export const findPushSubscription = async (
  { prisma }: Queryable,
  { id, userId }: { id: string; userId: string },
): Promise<PushSubscriptionRow | undefined> => {
  if (!isUuid(id)) return undefined;
  const row = await prisma.pushSubscription.findFirst({ where: { id, userId }, select: SELECTED });
  return row ? toRow(row) : undefined;
};

/** Whether anybody has a browser that is notified. */
export const hasPushSubscriptions = async ({ prisma }: Queryable): Promise<boolean> =>
  (await prisma.pushSubscription.findFirst({ select: { id: true } })) !== null;
