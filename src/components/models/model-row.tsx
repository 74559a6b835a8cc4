import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import type { MenuItem } from "@/components/ui/open-menu";
import type { Model, ModelTestResult } from "@/contract/model";
import type { UpdateModelInput } from "@/contract/model-inputs";
import { findNeededVariable, PROVIDERS } from "@/contract/providers";
import { formatTokens } from "@/lib/format";
import type { RecordRowProps } from "@/components/settings/editable-list";
import { DetailRow, TestOutcome, type Trial } from "@/components/ui/detail-list";

/** A test of a model, and whether the model becomes the default when it answers. */
export type ModelTrial = Trial<ModelTestResult> & { makesDefault?: boolean };

type ModelRowProps = RecordRowProps<Model, UpdateModelInput, ModelTrial>;

export const ModelRow = (props: ModelRowProps) => {
  const { item, trial, onTry, onEdit, onChange, onDelete } = props;
  const { id, name, access, enabled, is_default: isDefault } = item;
  const isNamed = access?.source === "environment";
  return (
    <DetailRow
      title={name}
      badges={
        <>
          {isDefault && <Badge tone="accent" text="Default" />}
          {!enabled && <Badge text="Disabled" />}
          {isNamed && <Badge text="Set on the server" />}
        </>
      }
      facts={listFacts(item)}
      trying={{ label: "Test", name: `Test ${name}`, trial, onTry: () => onTry(id) }}
      editing={{
        name,
        onEdit,
        items: listMenuItems(item, onChange),
        deletion: { ...DELETION, isDisabled: isDefault || isNamed, onDelete: () => onDelete(id) },
      }}
    >
      <ModelHealth item={item} trial={trial} />
    </DetailRow>
  );
};

const DELETION = {
  message:
    "Its key is deleted, too. Chats that use it continue with the default model. You cannot undo this.",
  confirmLabel: "Delete model",
};

const listMenuItems = (
  { id, enabled, is_default: isDefault }: Model,
  onChange: ModelRowProps["onChange"],
): MenuItem[] => [
  {
    kind: "item",
    label: "Make default",
    disabled: isDefault || !enabled,
    onSelect: () => onChange({ model_id: id, is_default: true }),
  },
  {
    kind: "item",
    label: enabled ? "Disable" : "Enable",
    disabled: isDefault && enabled,
    onSelect: () => onChange({ model_id: id, enabled: !enabled }),
  },
];

const DEFAULT_FAILS = "New chats use this model. Correct it, or make another one the default.";
const NOT_DEFAULT =
  "It has not become the default model. Correct it, then make it the default in its menu.";

/** The result of the last test; without one, why the model cannot be called. */
const ModelHealth = ({ item, trial }: Pick<ModelRowProps, "item" | "trial">) => {
  const { access, is_default: isDefault } = item;
  if (!trial?.result) {
    return access?.problem === undefined ? null : <Alert tone="warning">{access.problem}</Alert>;
  }
  const isLacking = trial.makesDefault === true && !isDefault;
  const consequence = isDefault ? DEFAULT_FAILS : isLacking && NOT_DEFAULT;
  return (
    <TestOutcome {...trial.result}>
      {!trial.result.ok && consequence !== false && <p>{consequence}</p>}
    </TestOutcome>
  );
};

const listFacts = (model: Model): string[] => {
  const { provider, model: id, context_limit, prices, access } = model;
  return [
    describeOrigin(PROVIDERS[provider].label, id),
    describeKey(model),
    access?.base_url ?? undefined,
    context_limit === null ? undefined : `${formatTokens(context_limit)} tokens of context`,
    prices && `${formatDollars(prices.input)} / ${formatDollars(prices.output)} per million tokens`,
  ].filter((fact) => fact !== undefined);
};

/** Says where the key of a model comes from. */
const describeKey = ({ provider, access }: Model): string | undefined => {
  if (PROVIDERS[provider].needs === "nothing") return "Needs no key";
  if (access?.from_environment && access.problem === undefined) {
    return `Key and address from ${findNeededVariable(provider)}`;
  }
  switch (access?.key) {
    case "settings":
      return "Key stored";
    case "none":
      return "No key";
    case "unreadable":
      return "Key cannot be read";
    case "environment":
    case undefined:
      return undefined;
  }
};

/** The id of a model may repeat the name of its provider. */
const describeOrigin = (provider: string, id: string): string =>
  provider.toLowerCase() === id.toLowerCase() ? provider : `${provider} ${id}`;

const DOLLARS = new Intl.NumberFormat("en", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 6,
});

const formatDollars = (micros: number): string => DOLLARS.format(micros / 1_000_000);
