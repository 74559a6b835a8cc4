import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, spyOn, userEvent } from "storybook/test";
import { TerminalOutput } from "@/components/tool-cards/terminal-output";
import { showStates } from "../show-states";

const meta = {
  component: TerminalOutput,
  args: { command: "npm test", text: "12 passed\n", isScreen: false, isLive: false },
} satisfies Meta<typeof TerminalOutput>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Completed: {},
  Running: { args: { isLive: true } },
  Empty: { args: { text: "" } },
  Screen: {
    args: {
      isScreen: true,
      text: Array.from({ length: 40 }, (_, row) => `line ${row}`).join("\n"),
    },
  },
  "Of a very long output both ends are shown": {
    args: {
      text: `first\n${"y".repeat(199)}\n`.concat(`${"y".repeat(199)}\n`.repeat(1_000), "last\n"),
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByText(/left out here/)).toBeVisible();
      const [start, end] = canvas.getAllByRole("group", { name: "Output" });
      await expect(start).toHaveTextContent(/^first/);
      await expect(end).toHaveTextContent(/last$/);
    },
  },
});

export const TestCopy: Story = {
  name: "(Test) Copies the text as it is read, without the codes of its colors",
  args: { text: "10 %\r100 %\n\u001b[1;32mpassed\u001b[0m\n\u001b]0;title\u0007end\n" },
  play: async ({ canvas }) => {
    const write = spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await userEvent.click(canvas.getByRole("button", { name: "Copy output" }));
    await expect(write).toHaveBeenCalledWith("100 %\npassed\nend\n");
    write.mockRestore();
  },
};

export const TestLongLine: Story = {
  name: "(Test) A long command and long lines, colored or not, have places for a line break",
  args: {
    command: `echo ${"(a)b".repeat(1_000)}`,
    text: `${"(a)b".repeat(1_000)}\n\u001b[32m${"(c)d".repeat(1_000)}\u001b[0m\n`,
  },
  play: async ({ canvas }) => {
    const output = canvas.getByRole("group", { name: "Output" });
    for (const letters of ["(a)b", "(c)d"]) {
      const text = [...output.querySelectorAll("span")].find((span) =>
        span.textContent.includes(letters),
      );
      await expect(text?.querySelectorAll("wbr").length).toBeGreaterThan(10);
    }
    const command = canvas.getByText(/^echo/, { selector: "p" });
    await expect(command.querySelectorAll("wbr").length).toBeGreaterThan(10);
  },
};
