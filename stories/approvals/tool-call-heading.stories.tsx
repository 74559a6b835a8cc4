import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { ToolCallHeading } from "@/components/approvals/tool-call-heading";
import { showStates } from "../show-states";

const meta = {
  component: ToolCallHeading,
  args: { id: "heading", toolName: "ask_colleague" },
  // On the page, the heading is in a section below a heading of level 2.
  render: (args) => (
    <section aria-labelledby={args.id}>
      <h2 className="sr-only">Your answer is needed</h2>
      <ToolCallHeading {...args} />
    </section>
  ),
} satisfies Meta<typeof ToolCallHeading>;
export default meta;
type Story = StoryObj<typeof meta>;

const SENTENCE = "Asks a colleague and returns what they say. ";

const longDescription: Story = { args: { description: SENTENCE.repeat(20).trim() } };

export const States: Story = showStates(meta, {
  "Name only": {},
  "Shows the readable and the technical name and labels the section": {
    args: { description: SENTENCE.trim() },
    play: async ({ canvas }) => {
      const section = canvas.getByRole("region", { name: "Ask colleague" });
      await expect(canvas.getByRole("heading", { name: "Ask colleague", level: 3 })).toBeVisible();
      await expect(section).toHaveTextContent("ask_colleague");
      await expect(section).toHaveTextContent(SENTENCE.trim());
      await expect(canvas.queryByRole("button")).toBeNull();
    },
  },
  "A blank description takes no space": {
    args: { description: " \n " },
    play: async ({ canvas }) => {
      await expect(canvas.queryByRole("paragraph")).toBeNull();
    },
  },
  "A description keeps its line breaks": {
    args: { description: "Asks a colleague.\nThey answer on working days." },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("paragraph").innerText.trim()).toBe(
        "Asks a colleague.\nThey answer on working days.",
      );
    },
  },
  "Long description": longDescription,
  "A truncated description does not split an emoji": {
    args: { description: `x${"🙂".repeat(200)}` },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("paragraph").textContent.isWellFormed()).toBe(true);
    },
  },
});

export const TestLongDescription: Story = {
  name: "(Test) A long description can be expanded and collapsed",
  ...longDescription,
  play: async ({ args, canvas, userEvent }) => {
    const description = canvas.getByRole("paragraph");
    await expect(description).toHaveTextContent(/^Asks a colleague.*… Show all$/);
    await expect(description.textContent.length).toBeLessThan(260);
    await userEvent.tab();
    await expect(canvas.getByRole("button", { name: "Show all" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(description).toHaveTextContent(`${args.description} Show less`);
    const less = canvas.getByRole("button", { name: "Show less", expanded: true });
    await expect(less).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(canvas.getByRole("button", { name: "Show all", expanded: false })).toHaveFocus();
    await expect(description).toHaveTextContent(/… Show all$/);
  },
};

/** Long names and texts wrap. */
export const LongWords: Story = {
  args: {
    toolName: `ask_${"colleague".repeat(8)}`,
    description: `https://example.com/${"colleague/".repeat(20)}`,
  },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
