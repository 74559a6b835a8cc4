import type { StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";

type Play = NonNullable<StoryObj["play"]>;

/** Creates a test that opens the only card of a story, which then shows a text. */
export const opensTo =
  (text: string | RegExp): Play =>
  async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button"));
    await expect(canvas.getByText(text)).toBeVisible();
  };
