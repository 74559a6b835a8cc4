import type { Appearance, Density, Theme } from "@/contract/appearance";
import { AppearancePreview } from "./appearance-preview";
import { type PictureOption, PictureChoice } from "./picture-choice";
import { PageSection } from "@/components/ui/page-section";

type AppearanceSettingsProps = {
  appearance: Appearance;
  onChange: (change: Partial<Appearance>) => void;
};

/** How the pages look in this browser; a choice applies at once. */
export const AppearanceSettings = ({ appearance, onChange }: AppearanceSettingsProps) => (
  <PageSection
    isPage
    title="Appearance"
    lead="Kept in this browser, for everyone who signs in here."
  >
    <PageSection title="Theme">
      <PictureChoice
        label="Theme"
        options={THEMES}
        value={appearance.theme}
        onChange={(theme) => onChange({ theme })}
      />
    </PageSection>
    <PageSection title="Density" lead="How much fits on the screen.">
      <PictureChoice
        label="Density"
        options={DENSITIES}
        value={appearance.density}
        onChange={(density) => onChange({ density })}
      />
    </PageSection>
  </PageSection>
);

const THEMES: readonly PictureOption<Theme>[] = [
  {
    value: "system",
    label: "System",
    hint: "Light or dark, as your device is.",
    picture: (
      <div className="grid grid-cols-2">
        <AppearancePreview theme="light" density="comfortable" />
        <AppearancePreview theme="dark" density="comfortable" />
      </div>
    ),
  },
  {
    value: "light",
    label: "Light",
    hint: "Dark text on white.",
    picture: <AppearancePreview theme="light" density="comfortable" />,
  },
  {
    value: "dark",
    label: "Dark",
    hint: "Light text on black.",
    picture: <AppearancePreview theme="dark" density="comfortable" />,
  },
];

const DENSITIES: readonly PictureOption<Density>[] = [
  {
    value: "comfortable",
    label: "Comfortable",
    hint: "More space between lines and rows.",
    picture: <AppearancePreview theme={undefined} density="comfortable" />,
  },
  {
    value: "compact",
    label: "Compact",
    hint: "More chats and messages at once.",
    picture: <AppearancePreview theme={undefined} density="compact" />,
  },
];
