// Shows notifications of the server (Web Push), and opens their chats. It answers no requests of pages and stores nothing.

/** @param {ServiceWorkerGlobalScope} worker */
const start = (worker) => {
  /** What is said of a chat, by the `kind` of src/contract/push.ts. */
  const SENTENCES = {
    needs_you: "Needs you",
    done: "The answer is done",
    failed: "The answer has failed",
    test: "Notifications work in this browser.",
  };
  const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
  /** How long a tab may take to say which page it shows; frozen ones do not. */
  const ANSWER_MS = 500;

  /** Makes the path of a page of this server; nothing else of a message can become a part of it. */
  const toPath = (chatId) =>
    typeof chatId === "string" && UUID.test(chatId)
      ? `/chats/${chatId}`
      : "/settings/notifications";

  /** Asks a tab for its path: `client.url` is where it was loaded, and it shows other pages since. */
  const askPath = (client) =>
    new Promise((resolve) => {
      const { port1, port2 } = new worker.MessageChannel();
      setTimeout(resolve, ANSWER_MS, new URL(client.url).pathname);
      port1.onmessage = ({ data }) => resolve(data);
      client.postMessage({ type: "get-path" }, [port2]);
    });

  /** Finds the tabs that show a page. */
  const findTabs = async (path) => {
    const tabs = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    const paths = await Promise.all(tabs.map(askPath));
    return tabs.filter((_, index) => paths[index] === path);
  };

  const show = async (payload) => {
    const path = toPath(payload.chat_id);
    const tabs = payload.chat_id === null ? [] : await findTabs(path);
    if (tabs.some(({ visibilityState }) => visibilityState === "visible")) return;
    const sentence = SENTENCES[payload.kind] ?? "Something has changed";
    await worker.registration.showNotification(String(payload.title ?? "Parley"), {
      body: payload.text === undefined ? sentence : `${sentence}\n${payload.text}`,
      // One for each chat, which makes itself heard again.
      tag: path,
      renotify: true,
      icon: "/icons/icon-192.png",
      badge: "/icons/badge-96.png",
      data: { path, kind: payload.kind },
    });
  };

  const open = async (path) => {
    const [tab] = await findTabs(path);
    await (tab ? tab.focus() : worker.clients.openWindow(path));
  };

  /** @returns an empty message for what is not of this server: browsers want every message to be shown. */
  const parse = (data) => {
    try {
      return data?.json() ?? {};
    } catch {
      return {};
    }
  };

  // A new version replaces the old one at once: there is nothing that belongs to a version.
  worker.addEventListener("install", () => worker.skipWaiting());
  worker.addEventListener("push", (event) => event.waitUntil(show(parse(event.data))));
  worker.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(open(event.notification.data.path));
  });
};

start(globalThis);
