"use client";
import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { focusFirstInvalidField, findServerError } from "@/components/ui/form-errors";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Switch } from "@/components/ui/switch";
import type { AdvisorConfig } from "@/contract/advisor";
import type { Model } from "@/contract/model";
import type { Problem } from "@/contract/problem";
import {
  type AdvisorDraft,
  clearUnavailableModel,
  pickChangedFields,
  toConfig,
  toDraft,
  validateDraft,
} from "./advisor-draft";
import { AdvisorLimits } from "./advisor-limits";
import { type Loadable, Loaded } from "./loaded";
import { OverrideModelField } from "./override-model-field";
import { SettingsSection } from "./settings-section";

type AdvisorSettingsFormProps = {
  config: Loadable<AdvisorConfig>;
  models: Loadable<readonly Model[]>;
  onReload: () => void;
  onReloadModels: () => void;
  onSave: (config: AdvisorConfig) => void;
  isSaving: boolean;
  /** Whether the last save succeeded. */
  isSaved: boolean;
  /** Why the last save failed. */
  problem: Problem | undefined;
};

/** Edits the advisor settings: whether it is offered, its limits and its model. */
export const AdvisorSettingsForm = ({ config, ...rest }: AdvisorSettingsFormProps) => (
  <SettingsSection
    title="Advisor"
    lead="A second model, which agents can ask for advice before they act."
  >
    <Loaded loadable={config} what="settings" onReload={rest.onReload}>
      {(stored, isRefreshing) => (
        <ReadyForm {...rest} stored={stored} isRefreshing={isRefreshing} />
      )}
    </Loaded>
  </SettingsSection>
);

type ReadyFormProps = Omit<AdvisorSettingsFormProps, "config" | "onReload"> & {
  stored: AdvisorConfig;
  isRefreshing: boolean;
};

const ReadyForm = (props: ReadyFormProps) => {
  const { stored, models, onReloadModels, onSave, isSaving, problem } = props;
  const form = useRef<HTMLFormElement>(null);
  const { draft, edit } = useDraft(stored);
  const [attempts, setAttempts] = useState(0);
  const [sent, setSent] = useState<AdvisorConfig>();
  const next = toConfig(draft, stored);
  const draftProblems = validateDraft(draft, stored);
  const shownProblems = attempts > 0 ? draftProblems : { uses: undefined, tokens: undefined };
  const isInvalid = draftProblems.uses !== undefined || draftProblems.tokens !== undefined;
  const isClean = !isInvalid && isSame(next, stored);
  const findFieldError = (field: keyof AdvisorConfig): string | undefined =>
    sent === undefined || sent[field] === next[field] ? findServerError(problem, field) : undefined;
  useFocusOnFailure(form, attempts, problem);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSaving || isClean) return;
    if (isInvalid) return setAttempts(attempts + 1);
    const payload = clearUnavailableModel(next, models);
    setSent(payload);
    onSave(payload);
  };
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
      {problem !== undefined && (
        <Alert tone="danger" announce="alert" title="The settings were not saved">
          {problem.detail}
        </Alert>
      )}
      <Switch
        label="Offer the advisor"
        hint="In all chats except child chats."
        checked={draft.enabled}
        onChange={({ target }) => edit({ enabled: target.checked })}
      />
      {draft.enabled && (
        <>
          <AdvisorLimits
            draft={draft}
            onChange={edit}
            problems={{
              uses: shownProblems.uses ?? findFieldError("max_uses_per_run"),
              tokens: shownProblems.tokens ?? findFieldError("max_output_tokens"),
            }}
          />
          <OverrideModelField
            texts={MODEL_TEXTS}
            models={models}
            onReloadModels={onReloadModels}
            value={draft.modelId}
            onChange={(modelId) => edit({ modelId })}
            error={findFieldError("model_id")}
          />
        </>
      )}
      <SaveRow {...props} isClean={isClean} />
    </form>
  );
};

const useFocusOnFailure = (
  form: RefObject<HTMLFormElement | null>,
  attempts: number,
  problem: Problem | undefined,
): void => {
  // Syncs with the browser's focus: after a failed submit, the first invalid field gets the focus.
  useEffect(() => {
    if (form.current && (attempts > 0 || problem)) focusFirstInvalidField(form.current);
  }, [form, attempts, problem]);
};

const MODEL_TEXTS = {
  none: "Use the chat’s model",
  hint: "Which model gives the advice.",
  unavailable:
    "This model is not available any more. Until you choose another, the chat’s model gives the advice.",
};

type SaveRowProps = Pick<ReadyFormProps, "isSaving" | "isSaved" | "isRefreshing"> & {
  isClean: boolean;
};

const SaveRow = ({ isClean, isSaving, isSaved, isRefreshing }: SaveRowProps) => {
  const progress = isRefreshing ? "Refreshing…" : isSaved && isClean ? "Saved" : "";
  return (
    <div className="flex items-center gap-3 border-t pt-4">
      <Button type="submit" variant="primary" isBusy={isSaving} disabled={isClean && !isSaving}>
        Save
      </Button>
      <p role="status" className="text-muted">
        {isSaving ? "" : progress}
      </p>
    </div>
  );
};

/** Merges the person's edits over the stored settings; drops edits that equal the stored value. */
const useDraft = (stored: AdvisorConfig) => {
  const [edits, setEdits] = useState<Partial<AdvisorDraft>>({});
  const [previousStored, setPreviousStored] = useState(stored);
  if (previousStored !== stored) {
    setPreviousStored(stored);
    setEdits(pickChangedFields(edits, stored));
  }
  return {
    draft: { ...toDraft(stored), ...edits },
    edit: (change: Partial<AdvisorDraft>) =>
      setEdits((previous) => pickChangedFields({ ...previous, ...change }, stored)),
  };
};

const isSame = (one: AdvisorConfig, other: AdvisorConfig): boolean =>
  (Object.keys(one) as (keyof AdvisorConfig)[]).every((field) => one[field] === other[field]);
