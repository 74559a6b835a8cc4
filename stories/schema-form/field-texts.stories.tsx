import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { formatFirstError, formatLabel, getHint } from "@/components/schema-form/field-texts";
import { toFormSchema } from "@/components/schema-form/to-form-schema";
import { TextField } from "@/components/ui/text-field";
import type { JsonObject } from "@/contract/json";
import { showStates } from "../show-states";

type ExampleProps = { name: string; required: boolean; schema: JsonObject; error?: string };

/** A field with the texts that a schema gives it. */
const Example = ({ name, required, schema, error }: ExampleProps) => (
  <TextField
    label={formatLabel(name, required)}
    hint={getHint(toFormSchema(schema))}
    error={formatFirstError(error === undefined ? [] : [{ pointer: "", message: error }])}
    value=""
    onChange={() => undefined}
  />
);

const meta = {
  component: Example,
  args: { name: "Berth", required: true, schema: { type: "string" } },
} satisfies Meta<typeof Example>;
export default meta;
type Story = StoryObj<typeof meta>;

const described = { type: "string", description: "As painted on the quay" };

export const States: Story = showStates(meta, {
  Required: {},
  "Only an optional field is marked": {
    args: { required: false },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("textbox", { name: "Berth (optional)" })).toBeVisible();
    },
  },
  "With hint": { args: { schema: described } },
  "A description and the limits are one hint of two sentences": {
    args: { schema: { ...described, maxLength: 4 } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("textbox", { name: "Berth" })).toHaveAccessibleDescription(
        /^As painted on the quay\. .*4/,
      );
    },
  },
  "A pattern is shown where nothing else describes the format": {
    args: { schema: { type: "string", pattern: "^[A-Z]\\d+$" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("^[A-Z]\\d+$").tagName).toBe("CODE");
    },
  },
  "With error: it is a sentence": {
    args: { schema: described, error: "must not be empty" },
    play: async ({ canvas }) => {
      await expect(canvas.getByText(/^Must not be empty/)).toBeVisible();
    },
  },
});
