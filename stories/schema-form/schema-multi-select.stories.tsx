import type { Meta } from "@storybook/nextjs-vite";
import { SchemaMultiSelect } from "@/components/schema-form/schema-multi-select";
import { showStates } from "../show-states";
import { object, schemaFormMeta, type SchemaFormStory, toFormArgs } from "./schema-form-story";

const meta = { ...schemaFormMeta, component: SchemaMultiSelect } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const tags = object({ tags: { type: "array", items: { enum: ["new", "sale", "last"] } } });

export const States: Story = showStates(meta, {
  Empty: { args: toFormArgs(tags) },
  Filled: { args: toFormArgs(tags, { tags: ["sale", "last"] }) },
  "With error": {
    args: { ...toFormArgs(tags), errors: [{ pointer: "/tags", message: "is required" }] },
  },
  Disabled: { args: { ...toFormArgs(tags, { tags: ["new"] }), disabled: true } },
});
