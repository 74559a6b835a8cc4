"use client";
import type { Model } from "@/contract/model";
import type { CreateModelInput, UpdateModelInput } from "@/contract/model-inputs";
import type { Problem } from "@/contract/problem";
import { EditableList } from "./editable-list";
import type { Loadable } from "./loaded";
import { toCreateInput, toUpdateInput } from "./model-draft";
import { ModelForm } from "./model-form";
import { ModelRow, type ModelTest } from "./model-row";

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
  const { models, onReload, onCloseForm, changeProblem, onChange, tests } = props;
  return (
    <EditableList
      title="Models"
      lead="What answers in chats. Connect a provider with its API key, or a server of your own."
      noun="model"
      items={models}
      onReload={onReload}
      keyOf={({ id }) => id}
      form={(model, onClose) => <OpenForm {...props} model={model} onClose={onClose} />}
      row={(model, onEdit) => (
        <ModelRow
          model={model}
          test={tests[model.id]}
          onTest={() => props.onTest(model.id)}
          onEdit={onEdit}
          onMakeDefault={() => onChange({ model_id: model.id, is_default: true })}
          onToggle={() => onChange({ model_id: model.id, enabled: !model.enabled })}
          onDelete={() => props.onDelete(model.id)}
        />
      )}
      onCloseForm={onCloseForm}
      changeProblem={changeProblem}
    />
  );
};

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
