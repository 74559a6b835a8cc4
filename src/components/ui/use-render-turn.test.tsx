import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { HOSTILE_MARKDOWN } from "@/test/hostile-markdown";
import { SERVER_LIMITS } from "./choose-blocks";
import MarkdownRenderer from "./markdown-renderer";
import { useRenderTurn } from "./use-render-turn";

const render = (page: ReactNode): Promise<string> => {
  const output = new PassThrough();
  const stream = renderToPipeableStream(page, { onAllReady: () => stream.pipe(output) });
  return text(output);
};

/** Counts the turns of the event loop until it is stopped. */
const countTurns = () => {
  let turns = 0;
  let isStopped = false;
  const next = (): void => {
    turns += 1;
    if (!isStopped) setImmediate(next);
  };
  setImmediate(next);
  return { read: () => turns, stop: () => (isStopped = true) };
};

type PartProps = { part: { cost: number }; index: number; onRender: () => void };

const Part = ({ part, index, onRender }: PartProps) => {
  useRenderTurn(part);
  onRender();
  return <p>{index}</p>;
};

describe("a page that the server renders", () => {
  it("takes no more than its time of each turn of the event loop, and keeps the order", async () => {
    const turns = countTurns();
    const rendered = new Map<number, number>();
    const onRender = (): void => {
      rendered.set(turns.read(), (rendered.get(turns.read()) ?? 0) + 1);
    };
    const indexes = Array.from({ length: 40 }, (_, index) => index);
    const pages = [0, 1].map(() =>
      render(
        indexes.map((index) => (
          <Part
            key={index}
            part={{ cost: SERVER_LIMITS.block / 8 }}
            index={index}
            onRender={onRender}
          />
        )),
      ),
    );
    const [first, second] = await Promise.all(pages);
    turns.stop();
    expect(first).toBe(indexes.map((index) => `<p>${index}</p>`).join(""));
    expect(second).toBe(first);
    expect([...rendered.values()].reduce((sum, count) => sum + count)).toBe(80);
    expect(Math.max(...rendered.values())).toBeLessThanOrEqual(8);
  });

  it("has the whole of a long text, in order", async () => {
    const source = Array.from({ length: 400 }, (_, index) => `- **item ${index}**\n\ntext\n\n`);
    const html = await render(<MarkdownRenderer text={source.join("")} isStreaming={false} />);
    const items = [...html.matchAll(/<strong>item (\d+)<\/strong>/g)].map(([, index]) => index);
    expect(items).toEqual(source.map((_, index) => String(index)));
  });

  it.each(Object.entries(HOSTILE_MARKDOWN))("can show %s", async (_name, create) => {
    const html = await render(
      <MarkdownRenderer text={`${create(160_000)}\n\n# The end`} isStreaming={false} />,
    );
    expect(html).toContain("The end");
  });

  it("shows what takes too long as it is written", async () => {
    const strong = "**a**".repeat(32_000);
    const html = await render(<MarkdownRenderer text={strong} isStreaming={false} />);
    expect(html.replaceAll("<wbr/>", "")).toContain(strong);
    expect(html).not.toContain("<strong>");
  });

  it("shows where a link leads whose text is another address", async () => {
    const text = "[**bank.example**](https://evil.example/) [the docs](https://docs.example/)";
    const html = await render(<MarkdownRenderer text={text} isStreaming={false} />);
    expect(html.replaceAll(/<[^>]*>/g, "")).toContain("bank.example (evil.example) the docs");
  });

  it.each([
    ["[me@bank.example](mailto:eve@evil.example)", "me@bank.example (eve@evil.example)"],
    [
      "[Pay](mailto:me@a.example?bcc=eve@b.example&body=x)",
      "Pay (me@a.example, eve@b.example, with a text)",
    ],
    ["<me@a.example>", "me@a.example"],
    [
      "[![bank.example](https://a.example/i.png)](https://evil.example)",
      "bank.example (evil.example)",
    ],
    ["![bank.example](https://evil.example/i.png)", "bank.example (evil.example)"],
    ["[bank.example][1]\n\n[1]: https://evil.example", "bank.example (evil.example)"],
  ])("tells of %s where it leads", async (text, shown) => {
    const html = await render(<MarkdownRenderer text={text} isStreaming={false} />);
    expect(html.replaceAll(/<[^>]*>/g, "").trim()).toBe(shown);
    expect(html.match(/<a /g)).toHaveLength(1);
  });

  it.each([
    "tel:+491234",
    "sms:+491234?body=x",
    "facetime:x",
    "data:text/html,x",
    "intent:x",
    "//evil.example",
  ])("makes no link of %s", async (url) => {
    const text = `[bank.example](${url})`;
    const html = await render(<MarkdownRenderer text={text} isStreaming={false} />);
    expect(html).toContain("bank.example");
    expect(html).not.toContain("<a");
  });
});
