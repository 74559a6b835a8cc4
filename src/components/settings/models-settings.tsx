"use client";
import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { useFocusFallback } from "@/components/forms/use-focus-fallback";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { Model } from "@/contract/model";
import type { CreateModelInput, UpdateModelInput } from "@/contract/model-inputs";
import type { Problem } from "@/contract/problem";
import { type Loadable, Loaded } from "./loaded";
import { toCreateInput, toUpdateInput } from "./model-draft";
import { ModelForm } from "./model-form";
import { ModelRow, type ModelTest } from "./model-row";
import { SettingsList } from "./settings-list";
import { SettingsSection } from "./settings-section";

type ModelsSettingsProps = {
  models: Loadable<readonly Model[]>;
  onReload: () => void;
  /** Saves a model and tests it; `onSaved` is called when it is saved. */
  onCreate: (model: CreateModelInput, onSaved: () => void) => void;
  onUpdate: (model: UpdateModelInput, onSaved: () => void) => void;
  isSaving: boolean;
  /** Why the form was not saved. */
  saveProblem: Problem | undefined;
  /** Forgets that problem. */
  onCloseForm: () => void;
  /** Changes a field of a row at once. */
  onChange: (change: Pick<UpdateModelInput, "model_id" | "enabled" | "is_default">) => void;
  onDelete: (modelId: string) => void;
  /** Why the last change of a row failed. */
  changeProblem: Problem | undefined;
  onTest: (modelId: string) => void;
  /** The last test of each model, by its id. */
  tests: Readonly<Record<string, ModelTest>>;
};

/** Lists the models of the server, adds, changes, tests and deletes them. */
export const ModelsSettings = (props: ModelsSettingsProps) => {
  const { models, onReload, onChange, onDelete, changeProblem, onTest, tests } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusFallback(heading);
  /** The id of the model whose form is open, or "new". */
  const [open, setOpen] = useState<string>();
  const openForm = (id: string | undefined): void => {
    props.onCloseForm();
    setOpen(id);
  };
  return (
    <SettingsSection
      title="Models"
      lead="What answers in chats. Connect a provider with its API key, or a server of your own."
      headingRef={heading}
      action={open !== "new" && <AddButton onClick={() => openForm("new")} />}
    >
      {open === "new" && (
        <OpenForm {...props} model={undefined} onClose={() => openForm(undefined)} />
      )}
      {changeProblem !== undefined && (
        <Alert tone="danger" announce="alert" title="The model was not changed">
          {changeProblem.detail}
        </Alert>
      )}
      <Loaded loadable={models} what="models" onReload={onReload}>
        {(list) => (
          <SettingsList>
            {list.map((model) =>
              model.id === open ? (
                <li key={model.id} className="p-2">
                  <OpenForm {...props} model={model} onClose={() => openForm(undefined)} />
                </li>
              ) : (
                <ModelRow
                  key={model.id}
                  model={model}
                  test={tests[model.id]}
                  onTest={() => onTest(model.id)}
                  onEdit={() => openForm(model.id)}
                  onMakeDefault={() => onChange({ model_id: model.id, is_default: true })}
                  onToggle={() => onChange({ model_id: model.id, enabled: !model.enabled })}
                  onDelete={() => onDelete(model.id)}
                />
              ),
            )}
          </SettingsList>
        )}
      </Loaded>
    </SettingsSection>
  );
};

const AddButton = ({ onClick }: { onClick: () => void }) => (
  <Button variant="primary" icon={<Plus aria-hidden size={16} />} onClick={onClick}>
    Add model
  </Button>
);

type OpenFormProps = Pick<
  ModelsSettingsProps,
  "onCreate" | "onUpdate" | "isSaving" | "saveProblem"
> & { model: Model | undefined; onClose: () => void };

const OpenForm = (props: OpenFormProps) => {
  const { model, onCreate, onUpdate, isSaving, saveProblem, onClose } = props;
  return (
    <ModelForm
      model={model}
      onSubmit={(draft) =>
        model
          ? onUpdate(toUpdateInput(draft, model), onClose)
          : onCreate(toCreateInput(draft), onClose)
      }
      onCancel={onClose}
      isBusy={isSaving}
      problem={saveProblem}
    />
  );
};
