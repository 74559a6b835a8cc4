import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, spyOn } from "storybook/test";
import { TextBlock } from "@/components/tool-cards/text-block";
import { showStates } from "../show-states";

const meta = {
  component: TextBlock,
  args: { label: "Output", text: "README.md  2.1 KB\n\tsrc/\n", fileName: "read_file.txt" },
} satisfies Meta<typeof TextBlock>;
export default meta;
type Story = StoryObj<typeof meta>;

const HUGE = `first\n${"x".repeat(200_000)}\nlast`;

const manyLines: Story = { args: { text: "0 1 1 2 3 5 8\n".repeat(200) } };
const longLabel: Story = {
  args: { label: "Asking the harbour master of every port between Oban and Stornoway ".repeat(3) },
};
const huge: Story = { args: { text: HUGE } };
export const HugeNarrow: Story = { ...huge, globals: { viewport: { value: "mobile1" } } };

const whole = { id: "a1", name: "output.txt", media_type: "text/plain", size: 5_000_000 };

export const States: Story = showStates(meta, {
  Short: {},
  Empty: { args: { text: "" } },
  "Many lines": manyLines,
  "A long word wraps": {
    args: { text: "x".repeat(5_000) },
    play: async ({ canvas }) => {
      const lines = canvas.getByRole("group", { name: "Output" });
      await expect(lines.scrollWidth).toBeLessThanOrEqual(lines.clientWidth);
    },
  },
  "Long label": longLabel,
  Huge: huge,
  /** Cut by the server already. */
  "With whole": { args: { whole } },
  "Text that was cut already links to the whole, not to what is left of it": {
    args: { text: HUGE, whole },
    play: async ({ canvas }) => {
      const link = canvas.getByRole("link", { name: "Download the whole output (4.8 MB)" });
      await expect(link).toHaveAttribute("href", "/api/v1/files/a1");
      await expect(link).toHaveAttribute("download", "output.txt");
      await expect(canvas.queryByRole("button", { name: /^Download all/ })).toBeNull();
    },
  },
  "Text is shown unchanged, with white space and tags": {
    args: { text: "a  b\n\t<b>c</b> & **d**" },
    play: async ({ canvas }) => {
      const lines = canvas.getByRole("group", { name: "Output" });
      await expect(lines).toHaveTextContent("a  b\n\t<b>c</b> & **d**", {
        normalizeWhitespace: false,
      });
    },
  },
});

const copied = async (context: Parameters<NonNullable<Story["play"]>>[0]) => {
  const write = spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await context.userEvent.click(context.canvas.getByRole("button", { name: "Copy output" }));
  await expect(await context.canvas.findByRole("button", { name: "Copied" })).toBeVisible();
  const [call] = write.mock.calls;
  write.mockRestore();
  return call?.[0];
};

export const TestCopy: Story = {
  name: "(Test) Copies the text",
  play: async (context) => {
    await expect(await copied(context)).toBe("README.md  2.1 KB\n\tsrc/\n");
  },
};

export const TestCopyHuge: Story = {
  name: "(Test) Copies also the part that is not shown",
  ...huge,
  play: async (context) => {
    await expect((await copied(context)) === HUGE).toBe(true);
  },
};

export const TestManyLines: Story = {
  name: "(Test) Many lines scroll within a limited height, also by keyboard",
  ...manyLines,
  play: async ({ canvas, userEvent }) => {
    const lines = canvas.getByRole("group", { name: "Output" });
    await expect(lines.clientHeight).toBeLessThanOrEqual(320);
    await expect(lines.scrollHeight).toBeGreaterThan(lines.clientHeight);
    await userEvent.tab();
    await expect(canvas.getByRole("button", { name: "Copy output" })).toHaveFocus();
    await userEvent.tab();
    await expect(lines).toHaveFocus();
  },
};

export const TestLongLabel: Story = {
  name: "(Test) A long label is shown whole, above the text",
  ...longLabel,
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas }) => {
    const label = canvas.getByText(/^Asking the harbour master/).getBoundingClientRect();
    const lines = canvas.getByRole("group").getBoundingClientRect();
    const copy = canvas.getByRole("button", { name: /^Copy asking/ }).getBoundingClientRect();
    await expect(label.top).toBeGreaterThanOrEqual(0);
    await expect(label.bottom).toBeLessThanOrEqual(lines.top);
    await expect(label.right).toBeLessThanOrEqual(copy.left);
    await expect(copy.right).toBeLessThanOrEqual(lines.right);
  },
};

export const TestHuge: Story = {
  name: "(Test) Of text over 64 KB both ends are shown, and the whole can be downloaded",
  ...huge,
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByRole("group", { name: "Output, start" })).toHaveTextContent(/^first/);
    await expect(canvas.getByRole("group", { name: "Output, end" })).toHaveTextContent(/last$/);
    await expect(canvas.getByText("131 KB left out here")).toBeVisible();
    const saved: Blob[] = [];
    const createUrl = spyOn(URL, "createObjectURL").mockImplementation((blob) => {
      saved.push(blob as Blob);
      return "#";
    });
    await userEvent.click(canvas.getByRole("button", { name: "Download all 195 KB" }));
    createUrl.mockRestore();
    await expect(saved[0]?.size).toBe(200_011);
  },
};

export const TestHugeNarrow: Story = {
  name: "(Test) The size of the omitted part fits the width of a phone",
  ...HugeNarrow,
  play: async ({ canvas, canvasElement }) => {
    const whole = canvas.getByRole("button", { name: /^Download all/ }).getBoundingClientRect();
    await expect(whole.right).toBeLessThanOrEqual(window.innerWidth);
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
