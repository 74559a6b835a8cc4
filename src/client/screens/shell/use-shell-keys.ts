import { type ComponentType, type RefObject, useEffect, useEffectEvent, useState } from "react";
import { flushSync } from "react-dom";
import { collectTyping } from "@/client/collect-typing";
import { localStore } from "@/client/local-store";
import { importPart } from "@/lib/import-part";
import type { MenuItem } from "@/components/ui/open-menu";
import { findPageShortcut, type PageShortcut } from "@/components/ui/shortcuts";
import { type OverlayProps, SINGLE_KEYS } from "./overlay-props";

type Overlay = {
  Content: ComponentType<OverlayProps>;
  typed: string;
  pageItems: readonly MenuItem[];
};
type Load = () => Promise<{ default: ComponentType<OverlayProps> }>;

const loadPalette = () => importPart(() => import("./command-palette"));
const loadSheet = () => importPart(() => import("./shortcuts-overlay"));

type ShellKeys = {
  toggleSidebar: () => void;
  /** The items of the menu of the page. */
  pageItemsRef: RefObject<readonly MenuItem[]>;
};

/** Handles the shortcuts of the page. @returns what they have opened, and what opens it without them. */
export const useShellKeys = ({ toggleSidebar, pageItemsRef }: ShellKeys) => {
  const [overlay, setOverlay] = useState<Overlay>();
  const open = (load: Load): void => {
    const typing = collectTyping();
    load()
      .then(({ default: Content }) => {
        const typed = typing.end();
        if (typed === undefined) return;
        // A key before the field has the focus would be lost.
        flushSync(() => setOverlay({ Content, typed, pageItems: pageItemsRef.current }));
      })
      .catch(reportError);
  };
  const showPalette = (): void => open(loadPalette);
  const showShortcuts = (): void => open(loadSheet);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    // The next key is likely the letter of the palette.
    if (event.key === "Control" || event.key === "Meta") loadPalette().catch(reportError);
    const name = findPageShortcut(event, localStore.get(SINGLE_KEYS) !== "off");
    const commands: Partial<Record<PageShortcut, () => void>> = {
      "open-palette": showPalette,
      "show-shortcuts": showShortcuts,
      "toggle-sidebar": toggleSidebar,
    };
    const command = name && (commands[name] ?? findPageCommand(pageItemsRef.current, name));
    if (!command) return;
    event.preventDefault();
    command();
  });
  // Syncs with the keyboard.
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
  const close = (): void => setOverlay(undefined);
  return { overlay, close, showPalette, showShortcuts };
};

/** @returns what the menu of the page does by the shortcut, if it has an item for it. */
const findPageCommand = (
  items: readonly MenuItem[],
  name: PageShortcut,
): (() => void) | undefined => {
  const found = items.find((item) => item.kind === "item" && item.shortcut === name);
  return found?.kind === "item" ? found.onSelect : undefined;
};
