import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import type { AnswerableCall } from "@/contract/call";
import { CallAnswer } from "@/components/answers/call-answer";
import { createDraft } from "@/components/answers/draft";
import { Controlled } from "../schema-form/controlled";
import { showStates } from "../show-states";

const ask: AnswerableCall = {
  tool_call_id: "call-1",
  tool_name: "ask_colleague",
  description: "Asks a colleague and returns what they say.",
  args: { question: "May we refund it?" },
};
const check: AnswerableCall = {
  tool_call_id: "call-2",
  tool_name: "is_shop_open",
  args: {},
  output_schema: { type: "boolean", title: "Open" },
};

const meta = {
  component: CallAnswer,
  render: (args) => (
    <Controlled value={args.draft} onChange={args.onChange}>
      {({ value, onChange }) => <CallAnswer {...args} draft={value} onChange={onChange} />}
    </Controlled>
  ),
  args: { call: ask, draft: undefined, onChange: fn(), errors: [], disabled: false },
} satisfies Meta<typeof CallAnswer>;
export default meta;
type Story = StoryObj<typeof meta>;

const withSchema: Story = { args: { call: check } };
const withDraft: Story = { args: { draft: { ...createDraft(ask), text: "Yes, we may." } } };
const disabled: Story = { args: { disabled: true } };

export const States: Story = showStates(meta, {
  Empty: {},
  "With schema": withSchema,
  Filled: withDraft,
  "As JSON": { args: { draft: { ...createDraft(ask), mode: "json", json: '{"allowed": true}' } } },
  "As error": {
    args: { draft: { ...createDraft(ask), isError: true, errorText: "Nobody is there." } },
  },
  "With error: it is shown at the answer": {
    args: { errors: [{ pointer: "", message: "is too long" }] },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("textbox", { name: "Answer" })).toHaveAccessibleDescription(
        /Is too long/,
      );
    },
  },
  Disabled: disabled,
  "Shows the name, description and arguments of the tool": {
    play: async ({ canvas }) => {
      const call = canvas.getByRole("region", { name: "Ask colleague" });
      await expect(call).toHaveTextContent("ask_colleague");
      await expect(call).toHaveTextContent("Asks a colleague and returns what they say.");
      await expect(canvas.getByRole("definition")).toHaveTextContent("May we refund it?");
    },
  },
  "A stored draft with an unavailable mode opens in the default mode": {
    args: { call: check, draft: { ...createDraft(check), mode: "text" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("radio", { name: "Form" })).toBeChecked();
      await expect(canvas.getByRole("radio", { name: "Yes" })).not.toBeChecked();
      await expect(canvas.getByRole("radio", { name: "No" })).not.toBeChecked();
    },
  },
});

export const TestFirst: Story = {
  name: "(Test) The first character creates a draft",
  play: async ({ args, canvas, userEvent }) => {
    await expect(args.onChange).not.toHaveBeenCalled();
    await userEvent.type(canvas.getByRole("textbox", { name: "Answer" }), "Y");
    await expect(args.onChange).toHaveBeenCalledWith({ ...createDraft(ask), text: "Y" });
  },
};

export const TestModes: Story = {
  name: "(Test) Arrow keys switch the mode; JSON takes over the text",
  ...withDraft,
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("radiogroup", { name: "Answer with" })).toBeVisible();
    canvas.getByRole("radio", { name: "Text" }).focus();
    await userEvent.keyboard("{ArrowRight}");
    await expect(canvas.getByRole("radio", { name: "JSON" })).toHaveFocus();
    await expect(canvas.getByRole("textbox", { name: "Answer as JSON" })).toHaveValue(
      '"Yes, we may."',
    );
    await userEvent.keyboard("{ArrowRight}");
    await expect(canvas.getByRole("textbox", { name: "What went wrong" })).toHaveValue("");
    await expect(args.onChange).toHaveBeenLastCalledWith(
      expect.objectContaining({ mode: "json", isError: true, text: "Yes, we may." }),
    );
    await userEvent.click(canvas.getByRole("radio", { name: "Text" }));
    await expect(canvas.getByRole("textbox", { name: "Answer" })).toHaveValue("Yes, we may.");
  },
};

export const TestSchema: Story = {
  name: "(Test) A tool with a schema offers fields but no text",
  ...withSchema,
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByText("It gets no values.")).toBeVisible();
    await expect(canvas.getByRole("radio", { name: "Form" })).toBeChecked();
    await expect(canvas.queryByRole("radio", { name: "Text" })).toBeNull();
    await userEvent.click(canvas.getByRole("radio", { name: "Yes" }));
    await expect(args.onChange).toHaveBeenCalledWith({
      ...createDraft(check),
      form: { value: true },
    });
  },
};

export const TestDisabled: Story = {
  name: "(Test) A disabled answer is readable but cannot be changed",
  ...disabled,
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("textbox", { name: "Answer" })).toBeDisabled();
    await userEvent.click(canvas.getByRole("radio", { name: "JSON" }));
    await expect(canvas.getByRole("radio", { name: "Text" })).toBeChecked();
    await expect(args.onChange).not.toHaveBeenCalled();
  },
};
