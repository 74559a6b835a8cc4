import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import MarkdownRenderer from "@/components/ui/markdown-renderer";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: MarkdownRenderer,
  args: { text: "The **moon** pulls *harder* than the sun.", isStreaming: false },
} satisfies Meta<typeof MarkdownRenderer>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Text: {},
  "A mark that is not closed yet is not shown as text": {
    args: { text: "The **moon** pulls *har", isStreaming: true },
    play: async ({ canvas, canvasElement }) => {
      await expect(await canvas.findByText("har")).toBeVisible();
      await expect(canvasElement).not.toHaveTextContent("*");
    },
  },
  Formula: { args: { text: "The share is \\(\\frac{n}{12}\\)." } },
  Empty: { args: { text: "" } },
  "Marks become elements": {
    play: async ({ canvas }) => {
      await expect((await canvas.findByText("moon")).tagName).toBe("STRONG");
      await expect(canvas.queryByText(/\*/)).toBeNull();
    },
  },
  "Code in a sentence stays in it": {
    args: { text: "Use `depthAt(hour)` for the rest." },
    play: async ({ canvas, canvasElement }) => {
      await expect((await canvas.findByText("depthAt(hour)")).tagName).toBe("CODE");
      await expect(canvasElement.querySelector("pre")).toBeNull();
    },
  },
  "The paragraphs of an item are apart": {
    args: { text: "- one\n\n  still one\n- two" },
    play: async ({ canvas }) => {
      const first = (await canvas.findByText("one")).getBoundingClientRect();
      const second = canvas.getByText("still one").getBoundingClientRect();
      await expect(second.top).toBeGreaterThanOrEqual(first.bottom);
    },
  },
  "Columns have the side that their marks say": {
    args: { text: "| Hour | Share |\n| ---: | :---: |\n| 1 | 1/12 |" },
    play: async ({ canvas }) => {
      const cell = await canvas.findByRole("cell", { name: "1" });
      await expect(getComputedStyle(cell).textAlign).toBe("right");
      const share = canvas.getByRole("cell", { name: "1/12" });
      await expect(getComputedStyle(share).textAlign).toBe("center");
    },
  },
  "A note stands at the end": {
    args: { text: "High water.[^1]\n\nLow water.\n\n[^1]: At noon." },
    play: async ({ canvas, canvasElement }) => {
      await expect(await canvas.findByText(/At noon/)).toBeVisible();
      await expect(canvasElement.querySelector("sup")).toHaveTextContent("1");
    },
  },
  "Scripts and images of a text do nothing": {
    args: { text: '[run](javascript:alert(1)) ![pixel](https://example.com/p.png) <img src="x">' },
    play: async ({ canvas, canvasElement }) => {
      await expect(await canvas.findByRole("link", { name: "pixel" })).toBeVisible();
      await expect(canvas.queryByRole("link", { name: "run" })).toBeNull();
      await expect(canvasElement.querySelector("img")).toBeNull();
    },
  },
  "An image that is a file of the chat is shown": {
    args: {
      text: "![tides.png](/api/v1/files/01920f0c-5a1e-7000-8000-00000000f11e) ![no file](/api/v1/files/../me)",
    },
    play: async ({ canvas }) => {
      const image = await canvas.findByRole("img", { name: "tides.png" });
      await expect(image).toHaveAttribute(
        "src",
        "/api/v1/files/01920f0c-5a1e-7000-8000-00000000f11e",
      );
      await expect(canvas.queryByRole("img", { name: "no file" })).toBeNull();
    },
  },
  "Marks between Chinese, Japanese and Korean letters become elements": {
    args: {
      text: "**この文は重要です。**しかし、*传统的、*但**한국어(Korean)**은 ~~古い。~~新しい。",
    },
    play: async ({ canvas, canvasElement }) => {
      await expect((await canvas.findByText("この文は重要です。")).tagName).toBe("STRONG");
      await expect(canvas.getByText("传统的、").tagName).toBe("EM");
      await expect(canvas.getByText("한국어(Korean)").tagName).toBe("STRONG");
      await expect(canvas.getByText("古い。").tagName).toBe("DEL");
      await expect(canvasElement).not.toHaveTextContent("*");
    },
  },
  "A link ends before Chinese punctuation": {
    args: { text: "请访问 https://example.com/a。谢谢,见 https://example.com/b（图）。" },
    play: async ({ canvas }) => {
      const first = await canvas.findByRole("link", { name: "https://example.com/a" });
      await expect(first).toHaveAttribute("href", "https://example.com/a");
      await expect(canvas.getByRole("link", { name: "https://example.com/b" })).toBeVisible();
    },
  },
  "A tag for a line end breaks the line of a cell": {
    args: { text: "| Day | Open |\n| --- | --- |\n| Monday | 9 to 12<br>14 to 18<BR/>20 |" },
    play: async ({ canvas }) => {
      const cell = await canvas.findByRole("cell", { name: /9 to 12/ });
      await expect(cell.querySelectorAll("br")).toHaveLength(2);
      await expect(cell).not.toHaveTextContent("<");
    },
  },
  "Single line ends are kept, but not in code": {
    args: { text: "Roses are red,\n*violets\nare* blue.\n\n- one\n  two\n\n```\na\nb\n```" },
    play: async ({ canvas, canvasElement }) => {
      await canvas.findByText(/Roses are red/);
      await expect(canvasElement.querySelectorAll("p br")).toHaveLength(2);
      await expect(canvasElement.querySelectorAll("li br")).toHaveLength(1);
      await expect(canvasElement.querySelectorAll("pre br")).toHaveLength(0);
    },
  },
});

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [{ text: "Leave it to Markdown, which loads it when a text has marks." }],
    donts: [{ text: "Do not import it into a page: it is the largest part of a chat." }],
  }),
};
