import { FailureAlert } from "@/components/ui/failure-alert";
import { type Loadable, Loaded } from "@/components/ui/loaded";
import { PageSection } from "@/components/ui/page-section";
import { Switch } from "@/components/ui/switch";
import type { CallerToolsConfig } from "@/contract/caller-tools";
import type { Problem } from "@/contract/problem";

type CallerToolsProps = {
  config: Loadable<CallerToolsConfig>;
  onReload: () => void;
  onSave: (config: CallerToolsConfig) => void;
  isSaving: boolean;
  /** Why the last change was not saved. */
  problem: Problem | undefined;
};

/** Lets programs declare tools with the chats that they make, or not. */
export const CallerTools = ({ config, onReload, onSave, isSaving, problem }: CallerToolsProps) => (
  <PageSection title="Tools of programs">
    <FailureAlert title="The setting was not changed" detail={problem?.detail} />
    <Loaded loadable={config} what="settings" onReload={onReload}>
      {({ allowed }) => (
        <div className="rounded-lg border px-4 py-3">
          <Switch
            label="Programs may declare tools"
            hint="A program can bring tools with a chat, and runs them itself. If this is off, such requests are refused, and chats that have such tools are not offered them from their next step on."
            checked={allowed}
            disabled={isSaving}
            onChange={({ target }) => onSave({ allowed: target.checked })}
          />
        </div>
      )}
    </Loaded>
  </PageSection>
);
