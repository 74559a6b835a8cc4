import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, useLayoutEffect, useRef } from "react";
import { expect, fireEvent, fn, screen } from "storybook/test";
import { ComposerText } from "@/components/composer/composer-text";
import { Controlled } from "../schema-form/controlled";
import { showStates } from "../show-states";
import { COMMANDS, KNOWN, READ_FILE, readAgain, REVIEW } from "./mention-fixtures";

type TextProps = ComponentProps<typeof ComposerText>;

const renderControlled = (args: TextProps) => (
  <Controlled {...args}>{(control) => <ComposerText {...args} {...control} />}</Controlled>
);

const LINES = Array.from({ length: 60 }, (_, index) => `Line ${index + 1}`).join("\n");

const meta = {
  component: ComposerText,
  render: renderControlled,
  args: {
    value: "",
    onChange: fn(),
    onKeyDown: fn(),
    placeholder: "Write a message",
    disabled: false,
    isInvalid: false,
    describedBy: undefined,
    autoFocus: false,
  },
} satisfies Meta<typeof ComposerText>;
export default meta;
type Story = StoryObj<typeof meta>;

const oneLineState: Story = { args: { value: "Where is order A-10432?" } };
const manyLines: Story = { args: { value: LINES } };
const focused: Story = { args: { autoFocus: true } };
const disabled: Story = {
  args: { disabled: true, placeholder: "This chat is archived." },
};

export const States: Story = showStates(meta, {
  Empty: {},
  "One line": oneLineState,
  "Many lines": manyLines,
  "A long word wraps and is fully visible": {
    args: { value: "https://example.com/".repeat(30) },
    play: async ({ canvas }) => {
      const message = canvas.getByRole("textbox", { name: "Message" });
      await expect(message.scrollWidth).toBeLessThanOrEqual(message.clientWidth);
      await expect(message.scrollHeight).toBeLessThanOrEqual(message.clientHeight);
    },
  },
  Focused: focused,
  Disabled: disabled,
});

export const NarrowDisabled: Story = {
  args: { disabled: true, placeholder: "This chat is archived. Restore it to write." },
  render: (args) => <div style={{ maxWidth: 288 }}>{renderControlled(args)}</div>,
};

export const TestTyping: Story = {
  name: "(Test) Typing calls onKeyDown, then onChange",
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await expect(message).toHaveAttribute("placeholder", "Write a message");
    await expect(message).not.toHaveFocus();
    await userEvent.type(message, "a{Escape}");
    await expect(args.onChange).toHaveBeenCalledTimes(1);
    await expect(args.onChange).toHaveBeenCalledWith("a");
    await expect(args.onKeyDown).toHaveBeenCalledTimes(2);
    await expect(args.onKeyDown).toHaveBeenLastCalledWith(
      expect.objectContaining({ key: "Escape" }),
    );
  },
};

export const TestGrow: Story = {
  name: "(Test) The height follows the number of lines at once",
  ...oneLineState,
  play: async ({ canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    const oneLine = message.clientHeight;
    await userEvent.type(message, "{Enter}");
    await expect(message.clientHeight).toBeGreaterThan(oneLine);
    await userEvent.keyboard("{Backspace}");
    await expect(message.clientHeight).toBe(oneLine);
  },
};

const narrow = (canvasElement: HTMLElement): void =>
  canvasElement.querySelector("div")?.style.setProperty("max-width", "160px");

export const TestReason: Story = {
  name: "(Test) The reason why nothing can be written is visible as a whole",
  ...NarrowDisabled,
  play: async ({ canvas, canvasElement }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    const { clientHeight: height } = message;
    await expect(message.scrollHeight).toBeLessThanOrEqual(height);
    narrow(canvasElement);
    await expect(message.clientHeight).toBeGreaterThan(height);
    await expect(message.scrollHeight).toBeLessThanOrEqual(message.clientHeight);
  },
};

export const TestPlaceholder: Story = {
  name: "(Test) An empty field has one row, however narrow it is",
  ...NarrowDisabled,
  args: { placeholder: "Answer above, or write the next message" },
  play: async ({ canvas, canvasElement, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    const { clientHeight: height } = message;
    narrow(canvasElement);
    await expect(message.clientHeight).toBe(height);
    await expect(message.scrollHeight).toBeLessThanOrEqual(height);
    await userEvent.type(message, "a");
    await expect(message.clientHeight).toBe(height);
  },
};

export const TestTallest: Story = {
  name: "(Test) A long text takes about a third of the screen and scrolls",
  ...manyLines,
  play: async ({ canvas }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await expect(message.clientHeight).toBeLessThanOrEqual(window.innerHeight * 0.35 + 1);
    await expect(message.scrollHeight).toBeGreaterThan(message.clientHeight);
  },
};

export const TestFocused: Story = {
  name: "(Test) autoFocus focuses the field",
  ...focused,
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("textbox", { name: "Message" })).toHaveFocus();
    await userEvent.keyboard("x");
    await expect(args.onChange).toHaveBeenCalledWith("x");
  },
};

export const TestOtherField: Story = {
  name: "(Test) autoFocus leaves the focus in another text field",
  ...focused,
  beforeEach: () => {
    const search = document.createElement("input");
    search.setAttribute("aria-label", "Search chats");
    document.body.append(search);
    search.focus();
    return () => search.remove();
  },
  play: async ({ args, userEvent }) => {
    const search = screen.getByRole("textbox", { name: "Search chats" });
    await userEvent.keyboard("tides");
    await expect(search).toHaveValue("tides");
    await expect(args.onChange).not.toHaveBeenCalled();
  },
};

export const TestCaretAtEnd: Story = {
  name: "(Test) autoFocus puts the caret at the end of the text",
  args: { ...oneLineState.args, autoFocus: true },
  play: async ({ canvas, userEvent }) => {
    await userEvent.keyboard(" Tell me.");
    await expect(canvas.getByRole("textbox", { name: "Message" })).toHaveValue(
      "Where is order A-10432? Tell me.",
    );
  },
};

export const TestDisabled: Story = {
  name: "(Test) A disabled field shows the reason and accepts no input",
  ...disabled,
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await expect(message).toBeDisabled();
    await expect(message).toHaveAttribute("placeholder", "This chat is archived.");
    await userEvent.type(message, "x");
    await expect(args.onChange).not.toHaveBeenCalled();
  },
};

/** The error describes the field. */
export const Invalid: Story = {
  args: { value: LINES, isInvalid: true, describedBy: "problem" },
  render: (args) => (
    <>
      {renderControlled(args)}
      <p id="problem">Too long by 120 characters.</p>
    </>
  ),
  play: async ({ canvas }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await expect(message).toBeInvalid();
    await expect(message).toHaveAccessibleDescription("Too long by 120 characters.");
  },
};

/** Sets the text before the effects of the field run, like typing before hydration. */
const WithEarlyInput = (props: TextProps) => {
  const container = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const field = container.current?.querySelector("textarea");
    if (field) field.value = "typed early";
  }, []);
  return <div ref={container}>{renderControlled(props)}</div>;
};

export const TestEarlyInput: Story = {
  name: "(Test) Text typed before hydration is kept and reported",
  render: (args) => <WithEarlyInput {...args} />,
  play: async ({ args, canvas }) => {
    await expect(args.onChange).toHaveBeenCalledTimes(1);
    await expect(args.onChange).toHaveBeenCalledWith("typed early");
    await expect(canvas.getByRole("textbox", { name: "Message" })).toHaveValue("typed early");
  },
};

export const Mentioning: Story = {
  args: { value: "", mentionables: KNOWN, onMention: fn() },
  render: (args) => <div className="relative mt-80 border">{renderControlled(args)}</div>,
  play: async ({ canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Message" }), "Please @re");
  },
};

export const TestMentionByKeys: Story = {
  ...Mentioning,
  name: "(Test) Keys choose a mention, whose name stays in the text; Enter is not passed on",
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
    await userEvent.type(message, "Ask @R about this", { initialSelectionStart: 0 });
    await userEvent.keyboard("{Home}");
    await expect(canvas.queryByRole("listbox")).toBeNull();
    await userEvent.keyboard(`{ArrowRight>${"Ask @R".length}/}`);
    const options = () => canvas.getAllByRole("option").map(({ textContent }) => textContent);
    await expect(options()[0]).toContain("review");
    await expect(message).toHaveAttribute(
      "aria-activedescendant",
      canvas.getByRole("option", { selected: true }).id,
    );
    await userEvent.keyboard("{ArrowDown}");
    await expect(canvas.getByRole("option", { selected: true })).toHaveTextContent("read_file");
    await userEvent.keyboard("{ArrowUp}{ArrowUp}{ArrowDown}{Enter}");
    await expect(args.onMention).toHaveBeenLastCalledWith(REVIEW);
    await expect(message).toHaveValue("Ask @review about this");
    await expect(canvas.queryByRole("listbox")).toBeNull();
    await expect(args.onKeyDown).not.toHaveBeenCalledWith(
      expect.objectContaining({ key: "Enter" }),
    );
    readAgain(message);
    await userEvent.keyboard(" @read{Tab}");
    await expect(args.onMention).toHaveBeenLastCalledWith(READ_FILE);
    await expect(message).toHaveValue("Ask @review about this @read_file ");
    await expect(message).toHaveFocus();
  },
};

export const TestMentionUndo: Story = {
  ...Mentioning,
  name: "(Test) Undo brings back what was typed of a mention",
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await userEvent.type(message, "Ask @rev about this", { initialSelectionStart: 0 });
    await userEvent.keyboard(`{Home}{ArrowRight>${"Ask @rev".length}/}{Enter}`);
    await expect(message).toHaveValue("Ask @review about this");
    await expect(message).toHaveProperty("selectionStart", "Ask @review ".length);
    // As Ctrl+Z does; the browser undoes only what it has done itself.
    document.execCommand("undo");
    await expect(message).toHaveValue("Ask @rev about this");
    await expect(args.onChange).toHaveBeenLastCalledWith("Ask @rev about this");
  },
};

export const TestMentionComposing: Story = {
  ...Mentioning,
  name: "(Test) Keys of an input method choose no mention",
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await userEvent.type(message, "@rev");
    await fireEvent.keyDown(message, { key: "Enter", keyCode: 229 });
    await fireEvent.keyDown(message, { key: "Enter", isComposing: true });
    await expect(args.onMention).not.toHaveBeenCalled();
  },
};

export const TestMentionByPointer: Story = {
  ...Mentioning,
  name: "(Test) A click chooses a mention, and the focus stays in the field",
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await userEvent.type(message, "@");
    await expect(canvas.getAllByRole("option")).toHaveLength(3);
    await userEvent.click(canvas.getByRole("option", { name: /read_file/ }));
    await expect(args.onMention).toHaveBeenCalledWith(READ_FILE);
    await expect(message).toHaveValue("@read_file ");
    await expect(message).toHaveFocus();
  },
};

export const TestMentionEscape: Story = {
  ...Mentioning,
  name: "(Test) Escape closes the options only, until another mention begins",
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await userEvent.type(message, "@re{Escape}");
    await expect(canvas.queryByRole("listbox")).toBeNull();
    await expect(message).toHaveValue("@re");
    await expect(args.onKeyDown).not.toHaveBeenCalledWith(
      expect.objectContaining({ key: "Escape" }),
    );
    await userEvent.keyboard("v{Enter}");
    await expect(args.onMention).not.toHaveBeenCalled();
    await userEvent.keyboard(" @");
    await expect(canvas.getByRole("listbox")).toBeVisible();
  },
};

export const TestNoMention: Story = {
  ...Mentioning,
  name: "(Test) Code, addresses and unknown names have no options",
  play: async ({ canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    for (const text of ["`@re", "ada@re", "@nobody", "@exec", "@ re"]) {
      await userEvent.clear(message);
      await userEvent.type(message, text);
      await expect(canvas.queryByRole("listbox")).toBeNull();
    }
  },
};

export const Commanding: Story = {
  ...Mentioning,
  args: { ...Mentioning.args, commands: COMMANDS },
  play: async ({ canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Message" }), "/");
  },
};

export const TestCommandByKeys: Story = {
  ...Commanding,
  name: "(Test) Keys complete a command up to the value that it needs, and Enter is then passed on",
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
    await userEvent.type(message, "/we");
    await expect(canvas.getByRole("listbox", { name: "Commands" })).toBeVisible();
    await userEvent.keyboard("{Enter}");
    await expect(message).toHaveValue("/weather:ask city=");
    await expect(canvas.queryByRole("listbox")).toBeNull();
    await expect(args.onMention).not.toHaveBeenCalled();
    readAgain(message);
    await userEvent.keyboard("Bonn{Enter}");
    await expect(args.onChange).toHaveBeenCalledWith("/weather:ask city=Bonn");
    await expect(args.onKeyDown).toHaveBeenCalledWith(expect.objectContaining({ key: "Enter" }));
  },
};

export const TestCommandByPointer: Story = {
  ...Commanding,
  name: "(Test) A click completes a command; a slash within a text has no options",
  play: async ({ canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await userEvent.type(message, "either /");
    await expect(canvas.queryByRole("listbox")).toBeNull();
    await userEvent.clear(message);
    await userEvent.type(message, "/guide");
    await userEvent.click(canvas.getByRole("option", { name: /weather:guide\.md/ }));
    await expect(message).toHaveValue("/weather:guide.md ");
    await expect(message).toHaveFocus();
  },
};
