import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { SchemaDetails } from "@/components/docs/schema-details";
import { showStates } from "../show-states";
import { CONTENT, SCHEMA } from "./fixtures";

const meta = {
  component: SchemaDetails,
  args: { schema: SCHEMA, onNavigate: fn() },
} satisfies Meta<typeof SchemaDetails>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Alternatives: {},
  "One object": {
    args: { schema: { ...SCHEMA, variants: [{ label: undefined, fields: [CONTENT] }] } },
  },
  "Alternatives have labels": {
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Either")).toHaveTextContent('type: "advice"');
      await expect(canvas.getByRole("region", { name: "Example of AdvisorResult" })).toBeVisible();
    },
  },
});
