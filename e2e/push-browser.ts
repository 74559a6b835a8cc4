import type { BrowserContext, Worker } from "@playwright/test";
import type { createTestBrowser } from "@/test/push-service";

/** A notification as the service worker shows it. */
export type ShownNotification = { title: string; body: string; tag: string; path: string };

/** Where the service worker of a test records what it does. */
type Recorder = { shown: ShownNotification[]; opened: string[] };

type PushBrowser = { endpoint: string; keys: ReturnType<typeof createTestBrowser>["keys"] };

/**
 * Gives the pages of a context what the headless browser has not: a person who allows notifications, and a push service,
 * at the address of the test's.
 */
export const allowPush = async (context: BrowserContext, push: PushBrowser): Promise<void> => {
  await context.addInitScript(({ endpoint, keys }) => {
    // Pages of plain http have none.
    if (!("PushManager" in window)) return;
    const STORED = "test-push-subscription";
    const subscription = {
      endpoint,
      toJSON: () => ({ endpoint, keys }),
      unsubscribe: () => {
        localStorage.removeItem(STORED);
        return Promise.resolve(true);
      },
    };
    Object.defineProperty(Notification, "permission", { get: () => "granted" });
    Object.assign(Notification, { requestPermission: () => Promise.resolve("granted") });
    Object.assign(PushManager.prototype, {
      getSubscription: () => Promise.resolve(localStorage.getItem(STORED) ? subscription : null),
      subscribe: () => {
        localStorage.setItem(STORED, "yes");
        return Promise.resolve(subscription);
      },
    });
  }, push);
};

/** Makes the service worker record notifications and the pages that it opens, which a headless browser cannot show. */
export const recordNotifications = async (context: BrowserContext): Promise<Worker> => {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  await worker.evaluate(() => {
    const recorder: Recorder = { shown: [], opened: [] };
    const scope = Object.assign(globalThis, { recorder }) as unknown as {
      registration: ServiceWorkerRegistration;
      clients: { openWindow: (path: string) => Promise<void> };
    };
    scope.registration.showNotification = (title, { body = "", tag = "", data } = {}) => {
      recorder.shown.push({ title, body, tag, path: (data as { path: string }).path });
      return Promise.resolve();
    };
    scope.clients.openWindow = (path) => {
      recorder.opened.push(path);
      return Promise.resolve();
    };
  });
  return worker;
};

export const readRecorder = (worker: Worker): Promise<Recorder> =>
  worker.evaluate(() => (globalThis as unknown as { recorder: Recorder }).recorder);

/** Clicks a notification that the worker has shown. */
export const clickNotification = (worker: Worker, path: string): Promise<void> =>
  worker.evaluate(async (clicked) => {
    const work: Promise<unknown>[] = [];
    const event = Object.assign(new Event("notificationclick"), {
      notification: { close: () => undefined, data: { path: clicked } },
      waitUntil: (promise: Promise<unknown>) => work.push(promise),
    });
    globalThis.dispatchEvent(event);
    await Promise.all(work);
  }, path);
