import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, useState } from "react";
import { expect, fireEvent, waitFor, within } from "storybook/test";
import { AdvisorText } from "@/components/tool-cards/advisor-text";
import { showStates } from "../show-states";

const soundings = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `${index + 1}. Sound the channel again at hour ${index + 1}, and write it down.`,
  ).join("\n");

const meta = {
  component: AdvisorText,
  args: { text: "## Cache it\n\nFor **an hour**.", isStreaming: false },
} satisfies Meta<typeof AdvisorText>;
export default meta;
type Story = StoryObj<typeof meta>;

const long: Story = { args: { text: soundings(40) } };
const longStreaming: Story = { args: { text: soundings(40), isStreaming: true } };

export const States: Story = showStates(meta, {
  Completed: {},
  "Streaming: it is labeled as partial and shows no partial markup": {
    args: { text: "## Cache it\n\nThe table changes **once a d", isStreaming: true },
    play: async ({ canvas }) => {
      const advice = canvas.getByRole("group", { name: "Advice so far" });
      await waitFor(() =>
        expect(advice).toHaveTextContent(/^Cache it\s?The table changes once a d$/),
      );
    },
  },
  Long: long,
  "Streaming, long": longStreaming,
  "Advice is named and formatted": {
    play: async ({ canvas }) => {
      const advice = within(canvas.getByRole("group", { name: "Advice" }));
      await expect(await advice.findByRole("heading", { name: "Cache it" })).toBeVisible();
      await expect(await advice.findByText("an hour")).toBeVisible();
    },
  },
});

const isAtEnd = (area: HTMLElement): boolean =>
  area.scrollTop + area.clientHeight > area.scrollHeight - 4;

export const TestLong: Story = {
  name: "(Test) Long advice starts at its beginning",
  ...long,
  play: async ({ canvas, userEvent }) => {
    const area = canvas.getByRole("group", { name: "Advice" });
    await waitFor(() => expect(area.scrollHeight).toBeGreaterThan(area.clientHeight));
    await expect(area.scrollTop).toBe(0);
    await userEvent.tab();
    await expect(area).toHaveFocus();
  },
};

const Growing = ({ text, isStreaming }: ComponentProps<typeof AdvisorText>) => {
  const [shown, setShown] = useState(text);
  return (
    <>
      <button type="button" onClick={() => setShown(soundings(60))}>
        Add text
      </button>
      <AdvisorText text={shown} isStreaming={isStreaming} />
    </>
  );
};

export const TestFollows: Story = {
  name: "(Test) The end of a long answer stays visible while it grows",
  ...longStreaming,
  render: (args) => <Growing {...args} />,
  play: async ({ canvas, userEvent }) => {
    const area = canvas.getByRole("group", { name: "Advice so far" });
    await waitFor(() => expect(area.scrollHeight).toBeGreaterThan(area.clientHeight));
    await waitFor(() => expect(isAtEnd(area)).toBe(true));
    await userEvent.click(canvas.getByRole("button", { name: "Add text" }));
    await canvas.findByText(/at hour 60,/);
    await waitFor(() => expect(isAtEnd(area)).toBe(true));
  },
};

const nextFrame = () => new Promise(requestAnimationFrame);

export const TestReadsBack: Story = {
  name: "(Test) The scroll position stays where the reader has scrolled to",
  ...longStreaming,
  render: (args) => <Growing {...args} />,
  play: async ({ canvas, userEvent }) => {
    const area = canvas.getByRole("group", { name: "Advice so far" });
    await canvas.findByText(/at hour 40,/);
    await waitFor(() => expect(isAtEnd(area)).toBe(true));
    await fireEvent.wheel(area, { deltaY: -400 });
    area.scrollTop = 100;
    await userEvent.click(canvas.getByRole("button", { name: "Add text" }));
    await canvas.findByText(/at hour 60,/);
    // The area would scroll after its resize is observed, within two frames.
    await nextFrame();
    await nextFrame();
    await expect(area.scrollTop).toBe(100);
  },
};

/** A long word does not widen the page. */
export const LongWord: Story = {
  args: { text: "deep".repeat(200) },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas, canvasElement }) => {
    await canvas.findByText(/^deep/);
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
