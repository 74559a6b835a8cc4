"use client";
import { useStoredValue } from "@/client/local-store";
import { ShortcutSheet } from "@/components/keyboard/shortcut-sheet";
import { type OverlayProps, SINGLE_KEYS } from "./overlay-props";

const ShortcutsOverlay = ({ onClose }: OverlayProps) => {
  const [value, setValue] = useStoredValue(SINGLE_KEYS);
  return (
    <ShortcutSheet
      hasSingleKeys={value !== "off"}
      onSingleKeysChange={(isOn) => setValue(isOn ? null : "off")}
      onClose={onClose}
    />
  );
};

export default ShortcutsOverlay;
