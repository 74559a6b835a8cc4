import { v7 as newId } from "uuid";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { PreviewOp } from "@/contract/stream-event";
import type { Database } from "@/server/db/connection/database";
import { WATCH_CHANNEL } from "@/server/db/sql/writes/preview-writes";
import { testDatabase, testServerUrl } from "@/test/database";
import { openDatabase } from "@/server/db/connection/open-database";
import type { PreviewEvent, PreviewResetEvent } from "./stream-event";
import { connectPreviews } from "./connect-previews";
import type { PreviewRelay } from "./preview-relay";
import { createPreviewRelay } from "./preview-relay";
import { createPreviewView } from "./preview-view";

const HISTORY = 3;
const text = (delta: string): PreviewOp => ({ op: "text-append", index: 0, text: delta });

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Starts a process, as far as previews go. */
const startProcess = async (
  db: Database,
  { relay = createPreviewRelay({ flushMs: 5 }), requestTtlMs = 10_000 } = {},
) => {
  const connection = connectPreviews({
    db,
    relay,
    requestDelayMs: 1,
    heartbeatMs: 20,
    requestTtlMs,
  });
  closing.push(connection.close);
  await connection.ready;
  return relay;
};

/** Watches a busy chat. */
const watch = (relay: PreviewRelay, chatId: string) => {
  const seen = { text: "", attempt: 0, resets: 0 };
  const apply = (event: PreviewEvent | PreviewResetEvent) => {
    seen.attempt = event.attempt;
    if (event.type === "preview-reset") {
      seen.text = "";
      seen.resets += 1;
    } else for (const op of event.ops) seen.text += "text" in op ? op.text : "";
  };
  const read = () => {
    for (let events = view.take(HISTORY); events.length > 0; events = view.take(HISTORY)) {
      events.forEach(apply);
    }
  };
  const opened = relay.watch(chatId, read);
  const view = createPreviewView(opened);
  opened.setBusy(true);
  read();
  return { seen, close: opened.close, channel: opened.channel };
};

const countChunks = async (db: Database, chatId: string): Promise<number> => {
  const [row] = await db.query<{ count: number }>(
    {
      name: "test-count-chunks",
      text: "SELECT count(*)::int FROM preview_chunk WHERE chat_id = $1",
    },
    [chatId],
  );
  return row?.count ?? 0;
};

const begin = (relay: PreviewRelay, chatId: string) => {
  const writer = relay.open(chatId);
  writer.reset(1, HISTORY);
  writer.write({ op: "text-start", index: 0 });
  return writer;
};

describe("a preview written in another process", () => {
  it("reaches watchers as a local one does, new attempts included, until it ends", async () => {
    const [here, elsewhere] = [await startProcess(db), await startProcess(db)];
    const chatId = newId();
    const far = watch(elsewhere, chatId);
    const near = watch(here, chatId);
    const writer = begin(here, chatId);
    let written = "";
    for (const word of ["It", " is", " far", " away"]) {
      writer.write(text(word));
      written += word;
      await expect.poll(() => far.seen.text).toBe(written);
    }
    expect(near.seen.text).toBe(written);

    writer.reset(2, HISTORY);
    await expect.poll(() => far.seen).toMatchObject({ text: "", attempt: 2 });
    writer.write(text("anew"));
    await expect.poll(() => far.seen.text).toBe("anew");

    expect(far.channel.log).toBeDefined();
    writer.end();
    await expect.poll(() => far.channel.log).toBeUndefined();
  });

  it("reaches a late watcher as a whole, without a reset for the others", async () => {
    const [here, second, third] = [
      await startProcess(db),
      await startProcess(db),
      await startProcess(db),
    ];
    const chatId = newId();
    const writer = begin(here, chatId);
    writer.write(text("once upon "));
    const early = watch(second, chatId);
    await expect.poll(() => early.seen.text).toBe("once upon ");
    writer.write(text("a time "));
    await expect.poll(() => early.seen.text).toBe("once upon a time ");
    const late = watch(third, chatId);
    await expect.poll(() => late.seen.text).toBe("once upon a time ");
    writer.write(text("there was"));
    await expect.poll(() => late.seen.text).toBe("once upon a time there was");
    await expect.poll(() => early.seen.text).toBe("once upon a time there was");
    expect(early.seen.resets).toBe(1);
  });

  it("reaches a process as a whole that unsubscribes and subscribes again", async () => {
    const [here, elsewhere] = [await startProcess(db), await startProcess(db)];
    const chatId = newId();
    const writer = begin(here, chatId);
    writer.write(text("one "));
    const first = watch(elsewhere, chatId);
    await expect.poll(() => first.seen.text).toBe("one ");
    first.close();
    writer.write(text("two "));
    const again = watch(elsewhere, chatId);
    await expect.poll(() => again.seen.text).toBe("one two ");
  });

  it("carries NUL characters and halves of surrogate pairs", async () => {
    const [here, elsewhere] = [await startProcess(db), await startProcess(db)];
    const chatId = newId();
    const far = watch(elsewhere, chatId);
    const writer = begin(here, chatId);
    writer.write(text("a\0b\ud83d"));
    await expect.poll(() => far.seen.text).toBe("a\0b\ud83d");
    writer.write(text("\ude00 \ufdd0\ufdd1"));
    await expect.poll(() => far.seen.text).toBe("a\0b😀 \ufdd0\ufdd1");
  });

  it("recovers from a lost row", async () => {
    const here = await startProcess(db);
    let lost: string | undefined;
    const lossy: Database = {
      ...db,
      query: async <Row>(...[statement, values]: Parameters<Database["query"]>) => {
        const rows = await db.query<Row>(statement, values);
        if (statement.name !== "preview-chunks-after") return rows;
        const chunks = rows as { id: string; seq: number }[];
        lost ??= chunks.find(({ seq }) => seq === 1)?.id;
        return chunks.filter(({ id }) => id !== lost) as Row[];
      },
    };
    const elsewhere = await startProcess(lossy);
    const chatId = newId();
    const far = watch(elsewhere, chatId);
    const writer = begin(here, chatId);
    writer.write(text("a"));
    await expect.poll(() => far.seen.text).toBe("a");
    writer.write(text("b"));
    await expect.poll(() => lost).toBeDefined();
    writer.write(text("c"));
    await expect.poll(() => far.seen.text).toBe("abc");
  });
});

describe("the table of previews", () => {
  it("gets no row while no other process watches", async () => {
    const [here, elsewhere] = [await startProcess(db), await startProcess(db)];
    const [alone, watched] = [newId(), newId()];
    const announced: string[] = [];
    closing.push(await db.listen(WATCH_CHANNEL, (payload) => announced.push(payload)));
    const near = watch(here, alone);
    const far = watch(elsewhere, watched);
    // A chat that is not written here yet is requested from other processes too.
    await expect
      .poll(() => announced.filter((payload) => payload.startsWith(alone)))
      .not.toEqual([]);
    const writers = [begin(here, alone), begin(here, watched)];
    for (const writer of writers) writer.write(text("hello"));
    await expect.poll(() => [near.seen.text, far.seen.text]).toEqual(["hello", "hello"]);
    expect(await countChunks(db, watched)).toBeGreaterThan(0);
    expect(await countChunks(db, alone)).toBe(0);
  });

  it("is not written once the watchers have closed", async () => {
    const relay = createPreviewRelay({ flushMs: 5 });
    const chatId = newId();
    let senders = 0;
    const counting: PreviewRelay = {
      ...relay,
      watch: (watched, wake) => {
        const opened = relay.watch(watched, wake);
        const own = watched === chatId ? 1 : 0;
        senders += own;
        return {
          ...opened,
          close: () => {
            senders -= own;
            opened.close();
          },
        };
      },
    };
    await startProcess(db, { relay: counting, requestTtlMs: 100 });
    const elsewhere = await startProcess(db);
    const far = watch(elsewhere, chatId);
    begin(relay, chatId).write(text("hello"));
    await expect.poll(() => far.seen.text).toBe("hello");
    expect(senders).toBe(1);
    far.close();
    await expect.poll(() => senders).toBe(0);
  });

  it("drops rows after a minute", async () => {
    const old = newId();
    await db.query(
      {
        name: "test-old-chunk",
        text: `INSERT INTO preview_chunk (chat_id, attempt, seq, ops, created_at)
          VALUES ($1, 1, 0, '[]', now() - interval '61 seconds')`,
      },
      [old],
    );
    const [here, elsewhere] = [await startProcess(db), await startProcess(db)];
    const chatId = newId();
    const far = watch(elsewhere, chatId);
    begin(here, chatId).write(text("hello"));
    await expect.poll(() => far.seen.text).toBe("hello");
    await expect.poll(() => countChunks(db, old)).toBe(0);
    expect(await countChunks(db, chatId)).toBeGreaterThan(0);
  });
});

// The embedded database has only one connection.
const onServer = testServerUrl ? describe : () => undefined;
onServer("two connections to one server", () => {
  it("show the same preview", async () => {
    const [row] = await db.query<{ name: string }>(
      { name: "test-database-name", text: "SELECT current_database() AS name" },
      [],
    );
    const url = new URL(testServerUrl ?? "");
    url.pathname = `/${row?.name ?? ""}`;
    const second = openDatabase({ databaseUrl: url.toString(), dataDir: "", poolSize: 2 });
    closing.push(second.close);
    const [here, elsewhere] = [await startProcess(db), await startProcess(second)];
    const chatId = newId();
    const far = watch(elsewhere, chatId);
    const writer = begin(here, chatId);
    writer.write(text("across"));
    await expect.poll(() => far.seen.text).toBe("across");
    writer.write(text(" the wire"));
    await expect.poll(() => far.seen.text).toBe("across the wire");
  });
});
