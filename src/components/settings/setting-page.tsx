import type { Problem } from "@/contract/problem";
import { type Loadable, Loaded } from "@/components/ui/loaded";
import { SettingForm } from "@/components/schema-form/setting-form";
import { PageSection } from "@/components/ui/page-section";
import type { DraftInput } from "@/components/schema-form/use-setting-draft";

/** What the page of a setting that is one value gets. */
export type SettingPageProps<Value> = {
  config: Loadable<Value>;
  onReload: () => void;
  onSave: (value: Value) => void;
  isSaving: boolean;
  /** Whether the last save succeeded. */
  isSaved: boolean;
  /** Why the last save failed. */
  problem: Problem | undefined;
};

type SettingPageInput<Value> = SettingPageProps<Value> &
  Pick<DraftInput<Value>, "schema" | "parts" | "toInput"> & {
    title: string;
    lead: string;
    check?: (value: Value, stored: Value) => ReturnType<NonNullable<DraftInput<Value>["check"]>>;
  };

/** Edits a setting that is one value. */
export const SettingPage = <Value extends object>(props: SettingPageInput<Value>) => {
  const { title, lead, config, onReload, onSave, isSaving, isSaved, problem, check } = props;
  return (
    <PageSection isPage title={title} lead={lead}>
      <Loaded loadable={config} what="settings" onReload={onReload}>
        {(stored, isRefreshing) => (
          <SettingForm
            {...props}
            stored={stored}
            check={(values) => check?.(values as Value, stored) ?? []}
            problemTitle="The settings were not saved"
            isBusy={isSaving}
            isSaved={isSaved}
            isRefreshing={isRefreshing}
            problem={problem}
            onSubmit={onSave}
          />
        )}
      </Loaded>
    </PageSection>
  );
};
