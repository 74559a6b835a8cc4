import { useState } from "react";
import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { Button } from "@/components/ui/button";
import { FailureBoundary } from "@/components/ui/failure-boundary";
import { showRules } from "../show-rules";

const onRender = fn();

const Part = (): string => {
  onRender();
  throw new Error("A part that cannot be rendered");
};

const meta = {
  component: FailureBoundary,
  args: { what: "message", resetKeys: [], children: "From 09:40 to 12:10." },
  beforeEach: () => {
    // The story is about errors, which would fail the test otherwise.
    const stop = (event: ErrorEvent) => event.preventDefault();
    window.addEventListener("error", stop);
    onRender.mockClear();
    return () => window.removeEventListener("error", stop);
  },
} satisfies Meta<typeof FailureBoundary>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Shown: Story = {};

export const Failed: Story = {
  args: { children: <Part /> },
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByRole("alert")).toHaveTextContent("This message could not be shown");
    onRender.mockClear();
    await userEvent.click(canvas.getByRole("button", { name: "Try again" }));
    await expect(onRender).toHaveBeenCalled();
    await expect(canvas.getByRole("alert")).toBeVisible();
  },
};

const Changing = () => {
  const [isBroken, setBroken] = useState(true);
  return (
    <>
      <Button onClick={() => setBroken(false)}>Change</Button>
      <FailureBoundary what="message" resetKeys={[isBroken]}>
        {isBroken ? <Part /> : "Shown again."}
      </FailureBoundary>
    </>
  );
};

export const TestChange: Story = {
  name: "(Test) What has changed is rendered again, and its surroundings stay",
  render: () => <Changing />,
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByRole("alert")).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: "Change" }));
    await expect(canvas.getByText("Shown again.")).toBeVisible();
    await expect(canvas.queryByRole("alert")).toBeNull();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Wrap a part that can fail by itself, and name it: the rest of the page stays.",
        example: (
          <FailureBoundary what="form" resetKeys={[]}>
            <p>A form</p>
          </FailureBoundary>
        ),
      },
    ],
    donts: [{ text: "Do not wrap a whole page: then one row that fails hides all others." }],
  }),
};
