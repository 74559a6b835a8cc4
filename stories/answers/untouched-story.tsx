import type { StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, useState } from "react";
import { expect, fn } from "storybook/test";
import type { JsonValue } from "@/contract/json";
import type { Drafts } from "@/components/answers/draft";
import { RequiredActionForm } from "@/components/answers/required-action-form";
import { toOpenCall } from "@/test/to-open-call";

type FormProps = ComponentProps<typeof RequiredActionForm>;
export type UntouchedStory = StoryObj<FormProps>;

/** Stores the drafts, as the page does. */
export const ActionFormWithDrafts = (props: FormProps) => {
  const [drafts, setDrafts] = useState<Drafts>(props.drafts);
  return (
    <RequiredActionForm
      {...props}
      drafts={drafts}
      onDraftChange={(id, draft) => {
        setDrafts((others) => ({ ...others, [id]: draft }));
        props.onDraftChange(id, draft);
      }}
    />
  );
};

/**
 * Creates a story that submits the form of a tool at once.
 *
 * @param missing what the form then reports, each as a sentence.
 */
export const untouched = (
  output_schema: JsonValue | undefined,
  ...missing: string[]
): UntouchedStory => ({
  name: "Untouched sends nothing",
  render: (args) => <ActionFormWithDrafts {...args} />,
  args: {
    action: {
      deadline_at: "2026-11-21T13:20:00Z",
      message_id: "00000000-0000-7000-8000-000000000001",
      approvals: [],
      tool_calls: [
        toOpenCall({
          tool_call_id: "call-1",
          tool_name: "ask",
          args: {},
          ...(output_schema !== undefined && { output_schema }),
        }),
      ],
    },
    drafts: {},
    onDraftChange: fn(),
    onSubmit: fn(),
    onDecide: fn(),
    isSubmitting: false,
    now: Date.parse("2026-11-21T10:00:00Z"),
  },
  play: async ({ args, canvas, userEvent }) => {
    // A draft would be shown as an unsent answer when the call ends.
    await expect(args.onDraftChange).not.toHaveBeenCalled();
    await expect(canvas.queryByRole("radio", { name: /^(Yes|No)$/, checked: true })).toBeNull();
    await expect(canvas.queryByRole("checkbox", { checked: true })).toBeNull();
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    await expect(args.onSubmit).not.toHaveBeenCalled();
    const reported = canvas.getAllByRole("listitem").map((item) => item.textContent);
    await expect(reported).toEqual(missing);
    await expect(document.activeElement).not.toBe(document.body);
  },
});
