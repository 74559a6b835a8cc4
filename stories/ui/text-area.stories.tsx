import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { TextArea } from "@/components/ui/text-area";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: TextArea,
  args: { label: "Answer", onChange: fn() },
} satisfies Meta<typeof TextArea>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Empty: {},
  JSON: { args: { isMonospace: true, defaultValue: '{\n  "city": "Oslo"\n}' } },
  "With error": { args: { error: "Must be JSON.", defaultValue: "{" } },
  Disabled: { args: { disabled: true } },
});

export const TestGrows: Story = {
  name: "(Test) The height grows with the text",
  play: async ({ canvas, userEvent }) => {
    const area = canvas.getByRole("textbox", { name: "Answer" });
    const before = area.clientHeight;
    await userEvent.type(area, "1{Enter}2{Enter}3{Enter}4{Enter}5{Enter}6{Enter}7{Enter}8");
    await expect(area.clientHeight).toBeGreaterThan(before);
  },
};

export const TestCaret: Story = {
  name: "(Test) The first focus puts the caret at the end, later ones keep it",
  args: { defaultValue: "Not here" },
  play: async ({ canvas, userEvent }) => {
    const area = canvas.getByRole<HTMLTextAreaElement>("textbox", { name: "Answer" });
    area.focus();
    await userEvent.keyboard(", ever");
    await expect(area).toHaveValue("Not here, ever");
    area.setSelectionRange(0, 0);
    area.blur();
    area.focus();
    await userEvent.keyboard("No. ");
    await expect(area).toHaveValue("No. Not here, ever");
  },
};

export const TestSelection: Story = {
  name: "(Test) Typing replaces an existing selection",
  args: { defaultValue: "Not here" },
  play: async ({ canvas, userEvent }) => {
    const area = canvas.getByRole<HTMLTextAreaElement>("textbox", { name: "Answer" });
    area.setSelectionRange(0, area.value.length);
    area.focus();
    await userEvent.keyboard("Here");
    await expect(area).toHaveValue("Here");
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Use it for text of several lines; it grows with what is written.",
        example: (
          <TextArea
            label="Instructions"
            defaultValue={"Answer in short sentences.\nSay what you do not know."}
          />
        ),
      },
    ],
    donts: [
      {
        text: "Do not use it for one line, such as a name.",
        example: <TextArea label="Name" defaultValue="weather" />,
      },
    ],
  }),
};
