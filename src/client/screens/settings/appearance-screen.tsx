"use client";
import { useShell } from "@/client/screens/shell/shell-context";
import { AppearanceSettings } from "@/components/appearance/appearance-settings";

export const AppearanceScreen = () => {
  const { appearance, changeAppearance } = useShell();
  return <AppearanceSettings appearance={appearance} onChange={changeAppearance} />;
};
