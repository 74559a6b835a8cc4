import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { StartingTexts } from "@/components/chat/starting-texts";
import { MAX_STARTING_TEXTS } from "@/contract/limits";
import { showStates } from "../show-states";

const toText = (text: string, index: number) => ({
  id: `0198c0de-0000-7000-8000-00000000000${index}`,
  text,
  created_at: "2026-01-01T00:00:00.000Z",
});

const TEXTS = [
  "Translate to Portuguese:",
  "Review the open pull requests and tell me which one to merge first, with a reason for each of them",
].map(toText);

const meta = {
  component: StartingTexts,
  args: {
    texts: TEXTS,
    draft: "",
    onSelect: fn(),
    onKeep: fn(),
    onRemove: fn(),
    isKeeping: false,
  },
} satisfies Meta<typeof StartingTexts>;
export default meta;
type Story = StoryObj<typeof meta>;

const KEEP = "Keep as a starting text";

export const States: Story = showStates(meta, {
  Two: {},
  "Two, and a new text in the composer": { args: { draft: "Summarize the minutes of" } },
  "Empty: the first text can be kept": { args: { texts: [], draft: "Summarize the minutes of" } },
  Saving: { args: { draft: "Summarize the minutes of", isKeeping: true } },
  "A kept text in the composer": {
    args: { draft: " Translate to Portuguese: " },
    play: async ({ canvas }) => {
      await expect(canvas.queryByRole("button", { name: KEEP })).toBeNull();
    },
  },
  Full: {
    args: {
      draft: "One more",
      texts: Array.from({ length: MAX_STARTING_TEXTS }, (_, index) => ({
        ...toText(`Text ${index}`, 0),
        id: `${index}`,
      })),
    },
    play: async ({ canvas }) => {
      await expect(canvas.queryByRole("button", { name: KEEP })).toBeNull();
    },
  },
  Failed: { args: { error: "The server cannot be reached." } },
});

export const TestSelect: Story = {
  name: "(Test) A text fills the composer, and can be removed",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Translate to Portuguese:" }));
    await expect(args.onSelect).toHaveBeenCalledWith("Translate to Portuguese:");
    await userEvent.click(
      canvas.getByRole("button", { name: "Remove “Translate to Portuguese:”" }),
    );
    await expect(args.onRemove).toHaveBeenCalledWith(TEXTS[0]?.id);
  },
};

export const TestKeep: Story = {
  name: "(Test) The text of the composer is kept",
  args: { draft: "Summarize the minutes of " },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: KEEP }));
    await expect(args.onKeep).toHaveBeenCalledWith("Summarize the minutes of ");
  },
};
