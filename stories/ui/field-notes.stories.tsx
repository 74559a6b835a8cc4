import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { FieldNotes, toFieldAria } from "@/components/ui/field-notes";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: FieldNotes,
  args: { id: "email" },
  render: (args) => (
    <>
      <input aria-label="Email" {...toFieldAria(args.id, args)} />
      <FieldNotes {...args} />
    </>
  ),
} satisfies Meta<typeof FieldNotes>;
export default meta;
type Story = StoryObj<typeof meta>;

const LONG = `${"You sign in with it, and nothing is sent there. ".repeat(8)}${"x".repeat(300)}`;

export const States: Story = showStates(meta, {
  Empty: {},
  "With hint": { args: { hint: "Only used to sign in." } },
  "With error": { args: { error: "This is not an email address." } },
  "An error is announced and describes the control after the hint": {
    args: { hint: "Only used to sign in.", error: "This is not an email address." },
    play: async ({ canvas }) => {
      const email = canvas.getByRole("textbox", { name: "Email" });
      await expect(email).toBeInvalid();
      await expect(email).toHaveAccessibleDescription(
        "Only used to sign in. This is not an email address.",
      );
      await expect(canvas.getByRole("alert")).toHaveTextContent(/^This is not an email address\.$/);
    },
  },
  "A hint describes the control and is not an alert": {
    args: {
      hint: (
        <>
          As in <code>ada@example.com</code>
        </>
      ),
    },
    play: async ({ canvas }) => {
      const email = canvas.getByRole("textbox", { name: "Email" });
      await expect(email).toHaveAccessibleDescription("As in ada@example.com");
      await expect(email).toBeValid();
      await expect(canvas.queryByRole("alert")).toBeNull();
    },
  },
  "Without a hint and an error nothing is rendered or referenced": {
    play: async ({ canvas, canvasElement }) => {
      const email = canvas.getByRole("textbox", { name: "Email" });
      await expect(email).not.toHaveAttribute("aria-describedby");
      await expect(email).toBeValid();
      await expect(canvasElement).toHaveTextContent(/^$/);
    },
  },
});

/** Long texts and words do not overflow the page. */
export const LongTexts: Story = {
  args: { hint: LONG, error: LONG },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Say in the hint what is expected, with an example, and in the error how to mend it.",
        example: (
          <FieldNotes
            id="rules-notes"
            hint="A version such as v12."
            error="Enter a version such as v12."
          />
        ),
      },
    ],
    donts: [
      {
        text: "Do not repeat the rule of a schema.",
        example: <FieldNotes id="rules-notes-2" error="Must match the pattern ^v[0-9]+$" />,
      },
    ],
  }),
};
