import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { TextField } from "@/components/ui/text-field";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: TextField,
  args: { label: "Email", onChange: fn() },
} satisfies Meta<typeof TextField>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Empty: { args: { placeholder: "you@example.com" } },
  Filled: { args: { defaultValue: "ada@example.com" } },
  "With hint": { args: { hint: "Only used to sign in." } },
  "With error": { args: { error: "This is not an email address.", defaultValue: "ada" } },
  Disabled: { args: { disabled: true, defaultValue: "ada@example.com" } },
  "With error: the hint and the error describe the field": {
    args: { hint: "Only used to sign in.", error: "This is not an email address." },
    play: async ({ canvas }) => {
      const field = canvas.getByRole("textbox", { name: "Email" });
      await expect(field).toHaveAccessibleDescription(
        "Only used to sign in. This is not an email address.",
      );
      await expect(field).toBeInvalid();
      await expect(canvas.getByRole("alert")).toHaveTextContent("This is not an email address.");
    },
  },
});

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Give an example of the format in the hint.",
        example: <TextField label="Version" hint="Such as v12." defaultValue="v12" />,
      },
    ],
    donts: [
      {
        text: "Do not put the only explanation into the placeholder.",
        example: <TextField label="Version" placeholder="Such as v12" />,
      },
      {
        text: "Do not end a label with a colon.",
        example: <TextField label="Version:" defaultValue="v12" />,
      },
    ],
  }),
};
