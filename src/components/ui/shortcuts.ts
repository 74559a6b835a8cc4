export type Shortcut = {
  /** As `KeyboardEvent.key` has it; a letter in lower case. */
  key: string;
  /** Whether Ctrl is pressed, or Cmd on a Mac. */
  mod?: boolean;
  alt?: boolean;
  /** Only for letters and named keys: for another character, Shift is a part of the layout. */
  shift?: boolean;
  label: string;
};

/**
 * All shortcuts of the app, by where they work. The handlers and the sheet that shows them both read this list. None is
 * one of the browser's own, but for Ctrl+K, which other apps have taught for a palette.
 */
export const SHORTCUTS = {
  everywhere: {
    "open-palette": { key: "k", mod: true, label: "Find chats, actions and settings" },
    "find-in-chat": { key: "f", mod: true, shift: true, label: "Find in the chat on the screen" },
  },
  /** A single key, which types where something is written. */
  "outside-fields": {
    "show-shortcuts": { key: "?", label: "Show the shortcuts" },
    "toggle-sidebar": { key: "[", label: "Hide or show the chat list" },
  },
  "message-field": {
    send: { key: "Enter", label: "Send" },
    "break-line": { key: "Enter", shift: true, label: "Start a new line" },
    steer: { key: "Enter", alt: true, label: "Add to the answer that is being written" },
    "send-now": { key: "Enter", mod: true, label: "Stop the answer and send now" },
    "edit-last": { key: "ArrowUp", label: "Edit your last message, if the field is empty" },
    mention: { key: "@", label: "Name a tool or a group" },
    command: { key: "/", label: "Begin with a command" },
    stop: { key: "Escape", label: "Stop the answer, or the editing" },
  },
  "chat-list": {
    "previous-row": { key: "ArrowUp", label: "Go to the chat above" },
    "next-row": { key: "ArrowDown", label: "Go to the chat below" },
    "first-row": { key: "Home", label: "Go to the first chat" },
    "last-row": { key: "End", label: "Go to the last chat" },
    "row-actions": { key: "ArrowRight", label: "Go to the actions of the chat" },
    "row-menu": { key: "F10", shift: true, label: "Open the actions of the chat" },
  },
} as const satisfies Record<string, Record<string, Shortcut>>;

export type PageShortcut = keyof Shortcuts["everywhere"] | keyof Shortcuts["outside-fields"];
type Shortcuts = typeof SHORTCUTS;

/** Where keys belong to what is open, or to what is written. */
const POPUPS = "dialog, [role=dialog], [role=alertdialog], [role=menu], [role=listbox]";
const FIELDS = "input, textarea, select, [contenteditable]";

/**
 * @param hasSingleKeys whether shortcuts of a single key are on; people who speak their input turn them off.
 * @returns the shortcut of the page that a key is, if it is one where the focus is.
 */
export const findPageShortcut = (
  event: KeyboardEvent,
  hasSingleKeys: boolean,
): PageShortcut | undefined => {
  const target = event.target instanceof Element ? event.target : document.body;
  if (event.defaultPrevented || event.isComposing || event.repeat || target.closest(POPUPS)) {
    return undefined;
  }
  const { everywhere, "outside-fields": single } = SHORTCUTS;
  const known =
    hasSingleKeys && !target.closest(FIELDS) ? { ...everywhere, ...single } : everywhere;
  const found = Object.entries(known).find(([, shortcut]) => isShortcut(event, shortcut));
  return found?.[0] as PageShortcut | undefined;
};

/** @returns a shortcut of the page as text, such as "Ctrl+K". */
export const toKeyText = (name: PageShortcut): string => {
  const shortcuts = { ...SHORTCUTS.everywhere, ...SHORTCUTS["outside-fields"] };
  const hasCommandKey = isMac();
  return listKeys(shortcuts[name], hasCommandKey).join(hasCommandKey ? "" : "+");
};

type Key = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey" | "getModifierState"
>;

export const isMac = (): boolean => /^(Mac|iP)/.test(navigator.platform);

/** Whether a key is that of a shortcut. */
export const isShortcut = (event: Key, shortcut: Omit<Shortcut, "label">): boolean =>
  isKey(event, shortcut.key) && hasModifiers(event, shortcut);

const LETTER = /^[a-z]$/;

const isKey = ({ key: pressed, code }: Key, key: string): boolean => {
  if (pressed === key || pressed.toLowerCase() === key) return true;
  // Keyboards of other alphabets have the letter at the same place.
  return LETTER.test(key) && !/^[a-z]$/i.test(pressed) && code === `Key${key.toUpperCase()}`;
};

const hasModifiers = (event: Key, shortcut: Omit<Shortcut, "label">): boolean => {
  const { key, mod = false, shift = false, alt = false } = shortcut;
  const isCharacter = key.length === 1 && !LETTER.test(key);
  // Many layouts write a character such as “[” with AltGr, which some browsers report as Ctrl and Alt.
  if (isCharacter && event.getModifierState("AltGraph")) return !mod;
  const { ctrlKey, metaKey, altKey, shiftKey } = event;
  const [hasMod, hasOther] = isMac() ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  return hasMod === mod && !hasOther && altKey === alt && (isCharacter || shiftKey === shift);
};

/** @returns the keys of a shortcut as the keyboard of this device has them. */
export const listKeys = (
  { key, mod, shift, alt }: Omit<Shortcut, "label">,
  hasCommandKey: boolean,
): string[] => [
  ...(mod ? [hasCommandKey ? "⌘" : "Ctrl"] : []),
  ...(alt ? [hasCommandKey ? "⌥" : "Alt"] : []),
  ...(shift ? [hasCommandKey ? "⇧" : "Shift"] : []),
  KEY_NAMES[key] ?? key.toUpperCase(),
];

const KEY_NAMES: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowRight: "→",
  Escape: "Esc",
  Enter: "Enter",
  Home: "Home",
  End: "End",
};
