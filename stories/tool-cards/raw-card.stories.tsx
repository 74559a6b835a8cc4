import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { RawCard } from "@/components/tool-cards/raw-card";
import type { ToolCallView } from "@/contract/chat-view";
import { showStates } from "../show-states";

const rawPart = (more: object) =>
  ({ type: "tool_call", tool_call_id: "call_1", kind: "dynamic", ...more }) as ToolCallView;

const meta = { component: RawCard, args: { part: rawPart({}) } } satisfies Meta<typeof RawCard>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "Fields missing": {},
  "A missing part is shown as null": {
    args: { part: null as unknown as ToolCallView },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("group", { name: "Tool call" })).toHaveTextContent(/^null$/);
    },
  },
  "Says that the call cannot be shown, and shows its data": {
    play: async ({ canvas }) => {
      await expect(canvas.getByText(/^This tool call could not be shown/)).toBeVisible();
      await expect(canvas.getByRole("group", { name: "Tool call" })).toHaveTextContent(
        '{ "type": "tool_call", "tool_call_id": "call_1", "kind": "dynamic" }',
      );
      await expect(canvas.getByRole("button", { name: "Copy tool call" })).toBeVisible();
    },
  },
});

/** Long data scrolls inside the card. */
export const Long: Story = {
  args: { part: rawPart({ output: ["x".repeat(400), ..."0123456789".repeat(8)] }) },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas, canvasElement }) => {
    const data = canvas.getByRole("group", { name: "Tool call" });
    await expect(data.scrollHeight).toBeGreaterThan(data.clientHeight);
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
