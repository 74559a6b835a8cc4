import { createRecentChanges } from "@/server/db/chats/recent-changes";
import { createRecentHistories } from "@/server/db/chats/recent-histories";
import type { Database } from "@/server/db/connection/database";
import { createSettingCaches } from "@/server/db/settings/setting-caches";
import { createChangeReads } from "@/server/stream/change-reads";
import { createClaimQueue } from "@/server/stream/claim-queue";
import { createNotifications } from "@/server/stream/notifications";
import { createPreviewRelay } from "@/server/stream/preview-relay";
import { createRunnerPresence } from "@/server/stream/runner-presence";
import { createViewerFeeds } from "@/server/stream/viewer-feed";
import type { WorkerActivity } from "@/server/stream/worker-activity";
import { createTestPush } from "./push-fixture";

const create = (db: Database) => {
  const notifications = createNotifications(db);
  const readChanges = createChangeReads(db);
  const cached = createSettingCaches(db);
  return {
    cached,
    recent: createRecentChanges(),
    histories: createRecentHistories(db),
    readChanges,
    notifications,
    relay: createPreviewRelay(),
    feeds: createViewerFeeds({ db, readChanges, notifications }),
    claims: createClaimQueue({ notifications }),
    runners: createRunnerPresence({ db, cached, log: { warn: () => undefined } }),
    activity: {} as WorkerActivity,
    push: createTestPush(db),
    temporaryChatHours: 24,
    importLimits: { maxBytes: 64 * 1024 * 1024, maxUnpackedBytes: 256 * 1024 * 1024 },
  };
};

const processes = new WeakMap<Database, ReturnType<typeof create>>();

/** What a process on this database makes once and passes on: all callers of a test get the same. */
export const testProcess = (db: Database): ReturnType<typeof create> => {
  const known = processes.get(db) ?? create(db);
  processes.set(db, known);
  return known;
};
