import type { Meta } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { SchemaMediaField } from "@/components/schema-form/schema-media-field";
import { untouched } from "../answers/untouched-story";
import { showStates } from "../show-states";
import { object, schemaFormMeta, type SchemaFormStory, toFormArgs } from "./schema-form-story";

const meta = { ...schemaFormMeta, component: SchemaMediaField } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const texts = object(
  {
    page: { type: "string", contentMediaType: "text/markdown" },
    data: { type: "string", contentMediaType: "application/json" },
  },
  "page",
);
const filled: Story = {
  args: toFormArgs(texts, { page: "# Tides\n\nTwice a **day**.", data: '{"high": 4.2}' }),
};

export const States: Story = showStates(meta, {
  Empty: { args: toFormArgs(texts) },
  Filled: filled,
  "Invalid: a text that is no JSON is reported": {
    args: {
      ...toFormArgs(texts, { data: "{" }),
      errors: [{ pointer: "/data", message: "is not JSON" }],
    },
    play: async ({ canvas }) => {
      await expect(
        canvas.getByRole("textbox", { name: "Data (optional)" }),
      ).toHaveAccessibleDescription("Is not JSON.");
    },
  },
  Disabled: { args: { ...filled.args, disabled: true } },
});

export const UntouchedSendsNothing = untouched(texts, "Page is required.");

export const TestPreview: Story = {
  ...filled,
  name: "(Test) The preview shows Markdown as it is read, and JSON as code",
  play: async ({ canvas, userEvent }) => {
    const [page, data] = canvas.getAllByText("Preview");
    if (!page || !data) throw new Error("a preview is missing");
    await userEvent.click(page);
    await expect(await canvas.findByRole("heading", { name: "Tides" })).toBeVisible();
    await userEvent.click(data);
    await expect(await canvas.findByRole("group", { name: "Code in json" })).toHaveTextContent(
      '{"high": 4.2}',
    );
  },
};
