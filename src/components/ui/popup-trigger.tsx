import {
  cloneElement,
  type ComponentProps,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useState,
} from "react";

type PopupTriggerProps = {
  popup: "menu" | "dialog";
  /** A button without handlers of its own. */
  trigger: ReactElement;
  /** Starts loading before the click. */
  onLoad: () => Promise<unknown>;
  onOpen?: () => void;
  /** Renders the loaded popup with its button, open at first; an arrow key names the item that it starts at. */
  children: (start: "first" | "last" | undefined) => ReactNode;
};

/** A button whose popup loads and replaces it when it opens first, as popups need a large library. */
export const PopupTrigger = ({ popup, trigger, onLoad, onOpen, children }: PopupTriggerProps) => {
  const [openedBy, setOpenedBy] = useState<"first" | "last" | "click">();
  const preload = (): void => {
    onLoad().catch(reportError);
  };
  const open = (by: "first" | "last" | "click"): void => {
    setOpenedBy(by);
    onOpen?.();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (popup !== "menu" || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
    event.preventDefault();
    open(event.key === "ArrowUp" ? "last" : "first");
  };
  const button = cloneElement(trigger as ReactElement<ComponentProps<"button">>, {
    "aria-haspopup": popup,
    "aria-expanded": false,
    onClick: () => open("click"),
    onKeyDown,
    onFocus: preload,
    onPointerEnter: preload,
  });
  if (openedBy === undefined) return button;
  return (
    <Suspense fallback={button}>{children(openedBy === "click" ? undefined : openedBy)}</Suspense>
  );
};
