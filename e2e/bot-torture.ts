import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { expect } from "@playwright/test";
import { startDatabaseProxy } from "../chaos/database-proxy";
import type { ExampleFolder, ExampleProgram } from "./example-programs";
import { HANG_MS } from "./limits";
import { findFreePort, listenOnLoopback, type TestServer } from "./server";
import { waitUntil } from "./wait-until";

type Post = { id: string; thread: string; text: string };

/** A chat platform: it repeats a message until the bot has accepted it, and shows posts with the same id once. */
const startPlatform = async (botUrl: string) => {
  const posts = new Map<string, Post>();
  const counts = { accepted: 0, requests: 0 };
  const platform = createServer((incoming, outgoing) => {
    json(incoming).then(
      (body) => {
        const post = body as Post;
        posts.set(post.id, post);
        counts.requests += 1;
        // Every third answer is lost on its way.
        if (counts.requests % 3 === 0) outgoing.destroy();
        else outgoing.writeHead(200).end();
      },
      () => outgoing.destroy(),
    );
  });
  const port = await listenOnLoopback(platform);
  return {
    url: `http://127.0.0.1:${port}`,
    posts: () => [...posts.values()],
    counts,
    say: async (message: Post): Promise<void> => {
      await waitUntil(`the bot accepts ${message.text}`, HANG_MS, async () => {
        const { ok } = await fetch(botUrl, { method: "POST", body: JSON.stringify(message) });
        return ok || undefined;
      });
      counts.accepted += 1;
    },
    close: (): void => {
      platform.close();
      platform.closeAllConnections();
    },
  };
};

/** What happens, by turns, while people write. */
export type Blow = "kill the bot" | "cut its connections" | "kill the server";

type Torture = { messages: number; threads: number; blows: readonly Blow[] };

/** Lets people write in threads while the bot, its connections and the server fail, and expects one answer to each message. */
export const expectAnsweredOnce = async (
  folder: ExampleFolder,
  server: TestServer,
  { messages, threads, blows }: Torture,
): Promise<void> => {
  const port = await findFreePort();
  // Of any server that speaks TCP.
  const proxy = await startDatabaseProxy(server.url);
  const platform = await startPlatform(`http://127.0.0.1:${port}`);
  const start = (): ExampleProgram =>
    folder.start("slack-style-bot/bot.mjs", [], {
      PARLEY_URL: proxy.url.replace(/\/$/, ""),
      PARLEY_API_KEY: server.apiKey,
      PLATFORM_URL: platform.url,
      PORT: String(port),
    });
  let bot = start();
  const strike: Record<Blow, () => Promise<void>> = {
    "kill the bot": async () => {
      bot.signal("SIGKILL");
      await bot.ended;
      bot = start();
    },
    "cut its connections": () => Promise.resolve(proxy.cut()),
    "kill the server": async () => {
      await server.kill();
      await server.database.expireLeases();
      await server.start();
    },
  };
  try {
    const texts = Array.from({ length: messages }, (_, index) => `message-${index}`);
    const writing = Array.from({ length: threads }, async (_, thread) => {
      for (const [index, text] of texts.entries())
        if (index % threads === thread)
          await platform.say({ id: `id-${text}`, thread: `thread-${thread}`, text });
    });
    const striking = (async () => {
      for (const [index, blow] of blows.entries()) {
        const answered = Math.floor((index * messages) / blows.length);
        await waitUntil(`${answered} answers before: ${blow}`, HANG_MS, () =>
          Promise.resolve(platform.posts().length >= answered || undefined),
        );
        await strike[blow]();
      }
    })();
    await Promise.all([...writing, striking]);
    await expect.poll(() => platform.posts().length, bot.output()).toBeGreaterThanOrEqual(messages);
    const answers = texts.map((text, index) => {
      const found = platform.posts().filter((post) => post.text.includes(`> ${text}\n`));
      return { text, index, threads: found.map(({ thread }) => thread) };
    });
    expect(answers).toEqual(
      texts.map((text, index) => ({ text, index, threads: [`thread-${index % threads}`] })),
    );
    expect(platform.posts()).toHaveLength(messages);
  } finally {
    platform.close();
    await proxy.close();
  }
};
