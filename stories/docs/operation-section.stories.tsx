import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { OperationSection } from "@/components/docs/operation-section";
import { showStates } from "../show-states";
import { CHANGE_PASSWORD, START } from "./fixtures";

const meta = {
  component: OperationSection,
  args: {
    operation: START,
    baseUrl: "http://127.0.0.1:3000/api/v1",
    apiKey: undefined,
    onNavigate: fn(),
  },
} satisfies Meta<typeof OperationSection>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "Without key": {},
  "The command contains the key": {
    args: { apiKey: "parley_q7Tz0" },
    play: async ({ canvas }) => {
      const command = canvas.getByRole("region", { name: `Command: ${START.summary}` });
      await expect(command).toHaveTextContent("Authorization: Bearer parley_q7Tz0");
    },
  },
  "What only browsers may request has no command": {
    args: { operation: CHANGE_PASSWORD },
    play: async ({ canvas }) => {
      await expect(canvas.queryByRole("region", { name: /^Command/ })).toBeNull();
    },
  },
});

export const Narrow: Story = {
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const TestExample: Story = {
  name: "(Test) An example opens",
  play: async ({ canvas, userEvent }) => {
    const [example] = canvas.getAllByRole("button", { name: "Example" });
    if (!example) throw new Error("the example is missing");
    await userEvent.click(example);
    await expect(canvas.getByRole("region", { name: `Example: ${START.summary}` })).toBeVisible();
  },
};
