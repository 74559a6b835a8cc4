"use client";
import type { Model } from "@/contract/model";
import type { CreateModelInput, UpdateModelInput } from "@/contract/model-inputs";
import { EditableList, type ListSaving } from "./editable-list";
import type { Loadable } from "./loaded";
import { ModelForm } from "./model-form";
import { ModelRow, type ModelTest } from "./model-row";

type ModelsSettingsProps = ListSaving & {
  models: Loadable<readonly Model[]>;
  onReload: () => void;
  /** Saves a model and tests it; `onSaved` is called when it is saved. */
  onCreate: (model: CreateModelInput, onSaved: () => void) => void;
  onUpdate: (model: UpdateModelInput, onSaved: () => void) => void;
  /** Changes a field of a row at once. */
  onChange: (change: Pick<UpdateModelInput, "model_id" | "enabled" | "is_default">) => void;
  onDelete: (modelId: string) => void;
  onTest: (modelId: string) => void;
  /** The last test of each model, by its id. */
  tests: Readonly<Record<string, ModelTest>>;
};

/** Lists the models of the server, adds, changes, tests and deletes them. */
export const ModelsSettings = (props: ModelsSettingsProps) => {
  const { models, onReload, onCreate, onUpdate, onChange, tests } = props;
  return (
    <EditableList
      title="Models"
      lead="What answers in chats. Connect a provider with its API key, or a server of your own."
      noun="model"
      items={models}
      onReload={onReload}
      getKey={({ id }) => id}
      getName={({ name }) => name}
      saving={props}
      form={(model, frame) => (
        <ModelForm
          {...frame}
          model={model}
          onCreate={(input) => onCreate(input, frame.onCancel)}
          onUpdate={(input) => onUpdate(input, frame.onCancel)}
        />
      )}
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
    />
  );
};
