"use client";
import { type ComponentProps, lazy } from "react";
import { importPart } from "@/lib/import-part";
import type { Model } from "@/contract/model";
import type { CreateModelInput, UpdateModelInput } from "@/contract/model-inputs";
import { EditableList, type RecordsProps } from "@/components/settings/editable-list";
import { ModelRow, type ModelTrial } from "./model-row";

const ModelForm = lazy(() => importPart(() => import("./model-form")));

type ModelsSettingsProps = RecordsProps<Model, CreateModelInput, UpdateModelInput, ModelTrial> &
  Pick<ComponentProps<typeof ModelForm>, "onDiscover">;

/** Lists the models of the server, adds, changes, tests and deletes them. A model is tested when it is saved. */
export const ModelsSettings = (props: ModelsSettingsProps) => (
  <EditableList
    {...props}
    title="Models"
    lead="What answers in chats. Connect a provider with its API key, or a server of your own."
    noun="model"
    getKey={({ id }) => id}
    form={(model, frame) => (
      <ModelForm
        {...frame}
        model={model}
        onCreate={(input) => props.onCreate(input, frame.onSaved)}
        onUpdate={(input) => props.onUpdate(input, frame.onSaved)}
        onDiscover={props.onDiscover}
      />
    )}
    row={(model, onEdit) => (
      <ModelRow {...props} item={model} trial={props.trials[model.id]} onEdit={onEdit} />
    )}
  />
);
