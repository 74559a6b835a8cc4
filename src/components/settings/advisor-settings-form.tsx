"use client";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { focusFirstProblem } from "@/components/forms/focus-first-problem";
import { refusalOf } from "@/components/forms/refusal-of";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { Switch } from "@/components/ui/switch";
import type { AdvisorConfig } from "@/contract/advisor";
import type { Model } from "@/contract/model";
import type { Problem } from "@/contract/problem";
import {
  type AdvisorDraft,
  draftedConfig,
  draftProblems,
  remainingEdits,
  toDraft,
  withoutDeadOverride,
} from "./advisor-draft";
import { AdvisorLimits } from "./advisor-limits";
import type { Loaded } from "./loaded";
import { OverrideModelField } from "./override-model-field";

type AdvisorSettingsFormProps = {
  config: Loaded<AdvisorConfig>;
  models: Loaded<readonly Model[]>;
  onReload: () => void;
  onReloadModels: () => void;
  onSave: (config: AdvisorConfig) => void;
  saving: boolean;
  /** The last save went well. */
  saved: boolean;
  /** Why the last save failed. */
  problem: Problem | undefined;
};

/** Whether agents may ask an advisor, how often, and which model answers. */
export const AdvisorSettingsForm = ({ config, ...rest }: AdvisorSettingsFormProps) => {
  switch (config.state) {
    case "loading":
      return (
        <p role="status" className="flex items-center gap-2 text-muted">
          <Spinner /> Loading settings…
        </p>
      );
    case "failed":
      return (
        <Alert
          tone="danger"
          announce="alert"
          title="The settings could not be loaded"
          action={
            <Button size="sm" onClick={rest.onReload}>
              Try again
            </Button>
          }
        >
          {config.detail}
        </Alert>
      );
    case "ready":
      return <ReadyForm {...rest} stored={config.value} refreshing={config.refreshing} />;
  }
};

type ReadyFormProps = Omit<AdvisorSettingsFormProps, "config" | "onReload"> & {
  stored: AdvisorConfig;
  refreshing: boolean;
};

const ReadyForm = (props: ReadyFormProps) => {
  const { stored, refreshing, models, onReloadModels, onSave, saving, saved, problem } = props;
  const form = useRef<HTMLFormElement>(null);
  const { draft, edit } = useDraft(stored);
  const [attempts, setAttempts] = useState(0);
  const [sent, setSent] = useState<AdvisorConfig>();
  const next = draftedConfig(draft, stored);
  const own = draftProblems(draft, stored);
  const shown = attempts > 0 ? own : { uses: undefined, tokens: undefined };
  const isInvalid = own.uses !== undefined || own.tokens !== undefined;
  const isClean = !isInvalid && isSame(next, stored);
  const refusal = (field: keyof AdvisorConfig): string | undefined =>
    sent === undefined || sent[field] === next[field] ? refusalOf(problem, field) : undefined;
  // Syncs with the browser's focus: a refused form leads to the first field that needs a look.
  useEffect(() => {
    if (form.current && (attempts > 0 || problem)) focusFirstProblem(form.current);
  }, [attempts, problem]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (saving || isClean) return;
    if (isInvalid) return setAttempts(attempts + 1);
    const payload = withoutDeadOverride(next, models);
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
        hint="The agent of a chat may ask a second model for advice before it acts. Chats that it spawns may not."
        checked={draft.enabled}
        onChange={({ target }) => edit({ enabled: target.checked })}
      />
      {draft.enabled && (
        <>
          <AdvisorLimits
            draft={draft}
            onChange={edit}
            problems={{
              uses: shown.uses ?? refusal("max_uses_per_run"),
              tokens: shown.tokens ?? refusal("max_output_tokens"),
            }}
          />
          <OverrideModelField
            models={models}
            value={draft.modelId}
            onChange={(modelId) => edit({ modelId })}
            onReloadModels={onReloadModels}
            error={refusal("model_id")}
          />
        </>
      )}
      <SaveRow clean={isClean} saving={saving} saved={saved} refreshing={refreshing} />
    </form>
  );
};

type SaveRowProps = { clean: boolean; saving: boolean; saved: boolean; refreshing: boolean };

const SaveRow = ({ clean, saving, saved, refreshing }: SaveRowProps) => {
  const progress = refreshing ? "Refreshing…" : saved && clean ? "Saved" : "";
  return (
    <div className="flex items-center gap-3 border-t pt-4">
      <Button type="submit" variant="primary" isBusy={saving} disabled={clean && !saving}>
        Save
      </Button>
      <p role="status" className="text-muted">
        {saving ? "" : progress}
      </p>
    </div>
  );
};

/** What is stored, with the person's changes over it; those that became true are forgotten. */
const useDraft = (stored: AdvisorConfig) => {
  const [edits, setEdits] = useState<Partial<AdvisorDraft>>({});
  const [known, setKnown] = useState(stored);
  if (known !== stored) {
    setKnown(stored);
    setEdits(remainingEdits(edits, stored));
  }
  return {
    draft: { ...toDraft(stored), ...edits },
    edit: (change: Partial<AdvisorDraft>) =>
      setEdits((before) => remainingEdits({ ...before, ...change }, stored)),
  };
};

const isSame = (one: AdvisorConfig, other: AdvisorConfig): boolean =>
  (Object.keys(one) as (keyof AdvisorConfig)[]).every((field) => one[field] === other[field]);
