import {
  cloneElement,
  type ComponentProps,
  type ComponentType,
  type KeyboardEvent,
  type ReactElement,
  type RefCallback,
  useState,
} from "react";
import { isTyping } from "./text-focus";

/** What opened a popup first: an arrow key names the item that it starts at. */
type OpenedBy = "first" | "last" | "click";

/** What a popup gets when it takes the place of the button that opened it first. */
export type OpenedPopup = {
  openedBy: OpenedBy;
  /** For the popup's own button. */
  buttonRef: RefCallback<HTMLButtonElement>;
  popupRef: RefCallback<HTMLElement>;
  /** @returns what gets the focus when the popup closes; false if the focus must stay where it is. */
  findFinalFocus: () => HTMLElement | false;
};

type PopupTriggerProps<Props> = {
  kind: "menu" | "dialog" | "combobox";
  /** A button without handlers of its own. */
  trigger: ReactElement;
  load: () => Promise<{ default: ComponentType<Props & OpenedPopup> }>;
  onOpen?: () => void;
  popupProps: Props;
};

/**
 * A button whose popup loads and replaces it when it opens first, as popups need a large library. The focus stays on
 * the button until the popup takes it.
 */
export const PopupTrigger = <Props extends object>(props: PopupTriggerProps<Props>) => {
  const { kind, trigger, load, onOpen, popupProps } = props;
  const [focus] = useState(createPopupFocus);
  const [opened, setOpened] = useState<{
    Popup: ComponentType<Props & OpenedPopup>;
    by: OpenedBy;
  }>();
  if (opened) {
    const { buttonRef, popupRef, findFinalFocus } = focus;
    return (
      <opened.Popup
        {...popupProps}
        openedBy={opened.by}
        buttonRef={buttonRef}
        popupRef={popupRef}
        findFinalFocus={findFinalFocus}
      />
    );
  }
  const open = async (by: OpenedBy): Promise<void> => {
    const focused = document.activeElement;
    const { default: Popup } = await load();
    // While the popup was loaded, the person has begun to type elsewhere.
    if (isTyping() && document.activeElement !== focused) return;
    onOpen?.();
    setOpened({ Popup, by });
  };
  const startOpening = (by: OpenedBy): void => void open(by).catch(reportError);
  const preload = (): void => void load().catch(reportError);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (kind === "dialog" || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
    event.preventDefault();
    startOpening(event.key === "ArrowUp" ? "last" : "first");
  };
  return cloneElement(trigger as ReactElement<ComponentProps<"button">>, {
    ref: focus.firstButtonRef,
    "aria-haspopup": kind === "menu" ? "menu" : "dialog",
    "aria-expanded": false,
    onClick: () => startOpening("click"),
    onKeyDown,
    onFocus: preload,
    onPointerEnter: preload,
  });
};

/**
 * Follows the focus of a popup and its buttons: passes it on from the button that opened the popup first, which React
 * removes, to the popup's own, and gives it back when the popup closes.
 */
const createPopupFocus = () => {
  let wasFocused = false;
  let button: HTMLButtonElement | null = null;
  let popup: HTMLElement | null = null;
  return {
    firstButtonRef: (first: HTMLButtonElement) => (): void => {
      wasFocused = first === document.activeElement;
    },
    buttonRef: (next: HTMLButtonElement | null): void => {
      button = next;
      if (wasFocused) next?.focus({ preventScroll: true });
      wasFocused = false;
    },
    popupRef: (next: HTMLElement | null): void => {
      popup = next;
    },
    findFinalFocus: (): HTMLElement | false => {
      const focused = document.activeElement;
      const isElsewhere =
        focused !== null && focused !== document.body && !popup?.contains(focused);
      return isElsewhere || !button ? false : button;
    },
  };
};
