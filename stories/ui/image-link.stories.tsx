import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor } from "storybook/test";
import { ImageLink } from "@/components/ui/image-link";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const image = (name: string) => (
  <img src="/api/v1/files/tides.png" alt={name} className="h-20 rounded-md border" />
);

const meta = {
  component: ImageLink,
  args: { url: "/api/v1/files/tides.png", name: "tides.png", children: image("tides.png") },
} satisfies Meta<typeof ImageLink>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, { Default: {} });

const onEscape = fn();

const Several = () => (
  // The keys of the page around it.
  <div role="log" onKeyDown={({ key }) => void (key === "Escape" && onEscape())}>
    {["one.png", "two.png", "three.png"].map((name) => (
      <ImageLink key={name} url={`/api/v1/files/tides.png?${name}`} name={name}>
        {image(name)}
      </ImageLink>
    ))}
  </div>
);

export const Open: Story = {
  render: () => <Several />,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("link", { name: "two.png" }));
    await expect(await screen.findByRole("dialog", { name: "two.png" })).toHaveTextContent(
      "2 of 3",
    );
  },
};

export const TestKeys: Story = {
  name: "(Test) The arrow keys go through the images, and Escape closes only them",
  render: () => <Several />,
  play: async ({ canvas, userEvent }) => {
    onEscape.mockClear();
    const opener = canvas.getByRole("link", { name: "one.png" });
    await userEvent.click(opener);
    await screen.findByRole("dialog", { name: "one.png" });
    await expect(screen.getByRole("button", { name: "Previous image" })).toBeDisabled();
    await userEvent.keyboard("{ArrowRight}{ArrowRight}{ArrowRight}");
    const last = await screen.findByRole("dialog", { name: "three.png" });
    await expect(screen.getByRole("button", { name: "Next image" })).toBeDisabled();
    await expect(screen.getByRole("link", { name: "Download" })).toHaveAttribute(
      "download",
      "three.png",
    );
    await userEvent.keyboard("{ArrowLeft}");
    await expect(last).toHaveAccessibleName("two.png");
    await userEvent.keyboard("{Escape}");
    await userEvent.click(screen.getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await expect(onEscape).not.toHaveBeenCalled();
    await expect(opener).toHaveFocus();
  },
};

export const TestOtherClicks: Story = {
  name: "(Test) A click with a key opens no dialog",
  render: () => <Several />,
  play: async ({ canvas }) => {
    const link = canvas.getByRole("link", { name: "one.png" });
    const click = new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey: true });
    // The browser of the test would open a tab.
    link.addEventListener("click", (event) => event.preventDefault(), { once: true });
    link.dispatchEvent(click);
    await expect(screen.queryByRole("dialog")).toBeNull();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [{ text: "Use it around each image that is a file of the chat." }],
    donts: [{ text: "Do not use it for an icon or a drawing of the page." }],
  }),
};
