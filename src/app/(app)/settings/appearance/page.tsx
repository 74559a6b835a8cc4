"use client";
import { useShell } from "@/app/(app)/shell-context";
import { AppearanceSettings } from "@/components/settings/appearance-settings";

const AppearancePage = () => {
  const { appearance, changeAppearance } = useShell();
  return <AppearanceSettings appearance={appearance} onChange={changeAppearance} />;
};
export default AppearancePage;
