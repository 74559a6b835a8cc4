import type { ReferenceField, ReferenceVariant } from "./reference";
import { TextWithCode } from "./text-with-code";
import { TypeText } from "./type-text";

type Navigation = { onNavigate: (href: string) => void };

type FieldListProps = Navigation & { fields: readonly ReferenceField[] };

/** Fields with their types; fields of unnamed objects are nested. */
export const FieldList = ({ fields, onNavigate }: FieldListProps) => (
  <dl className="min-w-0 divide-y border-y">
    {fields.map((field) => (
      <div key={field.name} className="grid min-w-0 gap-0.5 py-2">
        <dt className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <span translate="no" className="font-mono text-xs font-semibold wrap-anywhere">
            {field.name}
          </span>
          <TypeText type={field.type} onNavigate={onNavigate} />
          {field.isRequired && <span className="text-xs font-medium text-warning">required</span>}
        </dt>
        <dd className="min-w-0">
          <TextWithCode text={field.description} />
          {field.limits.length > 0 && (
            <span className="text-muted"> {capitalize(field.limits.join(", "))}.</span>
          )}
          {field.variants.length > 0 && (
            <div className="mt-2 border-l-2 pl-3">
              <VariantList variants={field.variants} onNavigate={onNavigate} />
            </div>
          )}
        </dd>
      </div>
    ))}
  </dl>
);

type VariantListProps = Navigation & { variants: readonly ReferenceVariant[] };

/** The fields of an object, or of each of several. */
export const VariantList = ({ variants, onNavigate }: VariantListProps) => (
  <div className="grid min-w-0 gap-3">
    {variants.map(({ label, fields }, index) => (
      <div key={index} className="grid min-w-0 gap-1">
        {variants.length > 1 && (
          <p className="text-xs text-muted">
            {index === 0 ? "Either" : "Or"}
            {label !== undefined && (
              <span translate="no" className="font-mono">
                {" "}
                {label}
              </span>
            )}
          </p>
        )}
        <FieldList fields={fields} onNavigate={onNavigate} />
      </div>
    ))}
  </div>
);

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
