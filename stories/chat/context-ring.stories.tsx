import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor, within } from "storybook/test";
import { ContextRing } from "@/components/chat/context-ring";
import { showStates } from "../show-states";
import { USAGE } from "./fixtures";

const meta = {
  component: ContextRing,
  args: { context: { used_tokens: 12_400, limit_tokens: 200_000 }, usage: USAGE },
} satisfies Meta<typeof ContextRing>;
export default meta;
type Story = StoryObj<typeof meta>;

const unknownLimit: Story = {
  args: { context: { used_tokens: 12_400, limit_tokens: null } },
};
const zeroLimit: Story = {
  args: { context: { used_tokens: 12_400, limit_tokens: 0 } },
};
const withCost: Story = {
  args: {
    usage: {
      ...USAGE,
      cost_micros: 310_000,
      by_kind: {
        turn: { input_tokens: 80_000, output_tokens: 3_000, cost_micros: 290_000 },
        advisor: { input_tokens: 4_200, output_tokens: 100, cost_micros: 20_000 },
      },
    },
  },
};
const oneKind: Story = {
  args: {
    usage: {
      ...USAGE,
      by_kind: { turn: { input_tokens: 84_200, output_tokens: 3_100, cost_micros: 0 } },
    },
  },
};

const omitted: Story = {
  args: {
    omittedFiles: { images: 12, pdfs: 1, before: "0198c0de-0000-7000-8000-000000000009" },
  },
};

/** The colored part of the ring, drawn after the gray track. */
const findArc = (canvasElement: HTMLElement): SVGCircleElement | undefined =>
  canvasElement.querySelectorAll("circle")[1];

export const States: Story = showStates(meta, {
  "Partly full": {},
  "Empty: no tokens are used": {
    args: {
      context: { used_tokens: 0, limit_tokens: 200_000 },
      usage: { input_tokens: 0, output_tokens: 0, cost_micros: 0, by_kind: {} },
    },
    play: async ({ canvas, canvasElement }) => {
      await expect(
        canvas.getByRole("button", { name: "Context 0% full: 0 of 200K tokens" }),
      ).toBeVisible();
      await expect(findArc(canvasElement)).toBeUndefined();
    },
  },
  "Almost full, in words": {
    args: { context: { used_tokens: 176_000, limit_tokens: 200_000 } },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Context 88% full")).toBeVisible();
    },
  },
  Full: { args: { context: { used_tokens: 199_000, limit_tokens: 200_000 } } },
  "Usage above the limit fills the ring once": {
    args: { context: { used_tokens: 240_000, limit_tokens: 200_000 } },
    play: async ({ canvas, canvasElement }) => {
      const name = "Context 100% full: 240K of 200K tokens";
      await expect(canvas.getByRole("button", { name })).toBeVisible();
      const [arcLength, circumference] =
        findArc(canvasElement)?.getAttribute("stroke-dasharray")?.split(" ") ?? [];
      await expect(arcLength).toBeDefined();
      await expect(arcLength).toBe(circumference);
    },
  },
  "With cost": withCost,
  "Files are no longer sent": omitted,
  "Files are no longer sent, and the limit is unknown": {
    args: { ...omitted.args, ...unknownLimit.args },
    play: async ({ canvas }) => {
      const name = "No longer sent: 12 images. Only sent as text: 1 PDF";
      await expect(canvas.getByRole("button", { name })).toBeVisible();
    },
  },
  "One kind": oneKind,
});

const openPopup = async () => {
  const popup = await screen.findByRole("dialog", { name: "Context and usage" });
  // The details are loaded when they open.
  await within(popup).findByText("Input tokens");
  return popup;
};

export const TestUsage: Story = {
  name: "(Test) The ring names the used share and opens the details",
  ...withCost,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(
      canvas.getByRole("button", { name: "Context 6% full: 12.4K of 200K tokens" }),
    );
    const popup = await openPopup();
    await expect(popup).toHaveTextContent("Context used12.4K / 200K");
    await expect(popup).toHaveTextContent(
      "Input tokens84.2KOutput tokens3.1KCost of this chat$0.31",
    );
    await expect(popup).toHaveTextContent("Agent80K in, 3K out, $0.29");
    await expect(popup).toHaveTextContent("Advisor4.2K in, 100 out, $0.020");
  },
};

export const TestOmittedFiles: Story = {
  name: "(Test) The ring tells which files have left the request",
  ...omitted,
  play: async ({ canvas, userEvent }) => {
    const name =
      "Context 6% full: 12.4K of 200K tokens. No longer sent: 12 images. Only sent as text: 1 PDF";
    await userEvent.click(canvas.getByRole("button", { name }));
    const popup = await openPopup();
    await expect(popup).toHaveTextContent("No longer sent12 imagesOnly sent as text1 PDF");
    await expect(popup).toHaveTextContent("The messages keep them.");
  },
};

export const TestCompact: Story = {
  name: "(Test) The details offer to sum up what came before",
  args: { onCompact: fn() },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Context/ }));
    const popup = await openPopup();
    await userEvent.click(within(popup).getByRole("button", { name: "Sum up what came before" }));
    await expect(args.onCompact).toHaveBeenCalledOnce();
  },
};

export const TestAdvisorWithoutPrices: Story = {
  name: "(Test) The advisor’s tokens are listed separately without prices",
  args: {
    usage: {
      ...USAGE,
      by_kind: {
        turn: { input_tokens: 80_000, output_tokens: 3_000, cost_micros: 0 },
        advisor: { input_tokens: 4_200, output_tokens: 100, cost_micros: 0 },
      },
    },
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Context/ }));
    const popup = await openPopup();
    await expect(popup).toHaveTextContent(/Agent80K in, 3K out.*Advisor4\.2K in, 100 out$/);
    await expect(popup).not.toHaveTextContent("Cost");
  },
};

export const TestNoCost: Story = {
  name: "(Test) Without prices no cost is shown",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Context/ }));
    await expect(await openPopup()).not.toHaveTextContent("Cost");
  },
};

export const TestOneKind: Story = {
  name: "(Test) Usage of a single kind is not broken down",
  ...oneKind,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Context/ }));
    await expect(await openPopup()).not.toHaveTextContent("Agent");
  },
};

export const TestUnknownLimit: Story = {
  name: "(Test) Without a limit there is no ring",
  ...unknownLimit,
  play: async ({ canvas }) => {
    await expect(canvas.queryByRole("button")).toBeNull();
  },
};

export const TestZeroLimit: Story = {
  ...TestUnknownLimit,
  ...zeroLimit,
  name: "(Test) A limit of 0 counts as unknown",
};

export const TestKeyboard: Story = {
  name: "(Test) The keyboard opens and closes the details and the focus returns",
  play: async ({ canvas, userEvent }) => {
    const ring = canvas.getByRole("button", { name: /^Context/ });
    await userEvent.tab();
    await expect(ring).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await openPopup();
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(canvas.getByRole("button", { name: /^Context/ })).toHaveFocus());
  },
};
