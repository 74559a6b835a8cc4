import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { RemovableItems } from "@/components/schema-form/removable-items";
import { showStates } from "../show-states";

const meta = {
  component: RemovableItems,
  args: {
    label: "Its own tools",
    hint: "Answered by people or programs.",
    items: [
      { name: "approve_refund", description: "Asks a person whether a customer gets money back." },
      { name: "a_name_that_is_as_long_as_names_of_tools_may_be_and_breaks_a_line_1" },
    ],
    empty: "None.",
    error: undefined,
    onRemove: fn(),
  },
} satisfies Meta<typeof RemovableItems>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Several: {
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: "Remove approve_refund" })).toBeVisible();
    },
  },
  Empty: { args: { items: [] } },
  "With error": { args: { error: "Is the name of a tool of the server." } },
});
