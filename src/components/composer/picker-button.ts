/** Classes of a button in the composer that opens a menu. */
export const PICKER_BUTTON =
  "inline-flex h-9 shrink-0 items-center gap-1.5 rounded-md px-2 text-sm text-muted transition-colors hover:bg-hover hover:text-text disabled:cursor-not-allowed disabled:opacity-60 data-popup-open:bg-hover pointer-coarse:h-10";
