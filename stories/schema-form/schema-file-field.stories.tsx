import type { Meta } from "@storybook/nextjs-vite";
import { expect, waitFor } from "storybook/test";
import { SchemaFileField } from "@/components/schema-form/schema-file-field";
import { untouched } from "../answers/untouched-story";
import { showStates } from "../show-states";
import { object, schemaFormMeta, type SchemaFormStory, toFormArgs } from "./schema-form-story";

const meta = { ...schemaFormMeta, component: SchemaFileField } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const image = { type: "string", contentEncoding: "base64", contentMediaType: "image/png" };
const photo = object({ photo: { ...image, title: "Photo of the meter" } }, "photo");
const contract = object({ doc: { type: "string", format: "data-url" } });

const empty: Story = { args: toFormArgs(photo) };

export const States: Story = showStates(meta, {
  Empty: empty,
  "Filled: the size and the type of the file are shown": {
    args: toFormArgs(contract, { doc: "data:text/plain;base64,SGVsbG8=" }),
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("status")).toHaveTextContent("text/plain, 5 B");
    },
  },
  "With error: it describes the group": {
    args: { ...empty.args, errors: [{ pointer: "/photo", message: "is required" }] },
    play: async ({ canvas }) => {
      await expect(
        canvas.getByRole("group", { name: "Photo of the meter" }),
      ).toHaveAccessibleDescription("Is required.");
    },
  },
  Disabled: { args: { ...toFormArgs(contract, { doc: "data:,Hello" }), disabled: true } },
});

export const UntouchedSendsNothing = untouched(photo, "Photo of the meter is required.");

const findInput = (canvasElement: HTMLElement): HTMLInputElement => {
  const input = canvasElement.querySelector<HTMLInputElement>("input[type=file]");
  if (!input) throw new Error("there is no picker");
  return input;
};

/** Files as large as those of a camera. */
const LARGE_BYTES = 2_000_000;

const drawNoise = async (): Promise<Blob> => {
  const canvas = new OffscreenCanvas(1_000, 1_000);
  const context = canvas.getContext("2d");
  const pixels = context?.createImageData(1_000, 1_000);
  if (!context || !pixels) throw new Error("nothing can be drawn");
  for (let at = 0; at < pixels.data.length; at += 65_536) {
    crypto.getRandomValues(pixels.data.subarray(at, at + 65_536));
  }
  context.putImageData(pixels, 0, 0);
  return canvas.convertToBlob({ type: "image/png" });
};

export const TestText: Story = {
  args: toFormArgs(contract),
  name: "(Test) A file becomes a data URL, and can be removed",
  play: async ({ args, canvas, canvasElement, userEvent }) => {
    await userEvent.tab();
    await expect(canvas.getByRole("button", { name: "Choose a file" })).toHaveFocus();
    const file = new File(["Hello"], "hello.txt", { type: "text/plain" });
    await userEvent.upload(findInput(canvasElement), file);
    await waitFor(() =>
      expect(args.onChange).toHaveBeenLastCalledWith({ doc: "data:text/plain;base64,SGVsbG8=" }),
    );
    await expect(canvas.getByRole("status")).toHaveTextContent("hello.txt · text/plain, 5 B");
    await userEvent.click(canvas.getByRole("button", { name: "Remove the file" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({});
  },
};

export const TestRefused: Story = {
  args: toFormArgs(contract),
  name: "(Test) A file that is too large is refused with both sizes",
  play: async ({ args, canvas, canvasElement, userEvent }) => {
    const file = new File([new Uint8Array(LARGE_BYTES)], "film.bin");
    await userEvent.upload(findInput(canvasElement), file);
    await expect(
      await canvas.findByText("Choose a file of at most 732 KB. This one has 1.9 MB."),
    ).toBeVisible();
    await expect(args.onChange).not.toHaveBeenCalled();
  },
};

export const TestImage: Story = {
  ...empty,
  name: "(Test) A large image is drawn smaller, in the type that is asked for",
  play: async ({ args, canvas, canvasElement, userEvent }) => {
    const file = new File([await drawNoise()], "meter.png", { type: "image/png" });
    await expect(file.size).toBeGreaterThan(LARGE_BYTES);
    await userEvent.upload(findInput(canvasElement), file);
    await waitFor(() => expect(args.onChange).toHaveBeenCalled());
    await expect(canvas.getByRole("status")).toHaveTextContent(/^meter\.png · image\/png, /);
    await expect(args.onChange).toHaveBeenLastCalledWith({
      // The first bytes of a PNG.
      photo: expect.stringMatching(/^iVBORw0KGgo/) as string,
    });
  },
};
