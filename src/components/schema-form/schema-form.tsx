import type { JsonObject } from "@/contract/json";
import { useIsHydrated } from "@/components/ui/use-is-hydrated";
import { memoizeByObject } from "@/lib/memoize-by-object";
import type { FieldProps } from "./field-props";
import { toText } from "./field-texts";
import { SchemaField } from "./schema-field";

/** Whether a form asks for a time of day. */
const hasTimes = memoizeByObject((schema: JsonObject): boolean =>
  /"format":"(date-)?time"/.test(JSON.stringify(schema)),
);

/** Says once for all fields what their times mean. */
const ZoneNote = () => {
  // The zone of the server is another one.
  const isHydrated = useIsHydrated();
  const zone = isHydrated && Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <p className="mb-4 text-note text-muted">
      Times are in your time zone{typeof zone === "string" && ` (${zone})`}.
    </p>
  );
};

/** The id is the prefix of the ids of all fields. */
type SchemaFormProps = Pick<
  FieldProps,
  "id" | "schema" | "value" | "onChange" | "errors" | "disabled"
>;

/** The fields of a JSON Schema. It renders no `form` element, so that one form can contain several. */
export const SchemaForm = (props: SchemaFormProps) => (
  <div className="break-words">
    {hasTimes(props.schema) && <ZoneNote />}
    <SchemaField
      {...props}
      name={toText(props.schema.title) ?? ""}
      isRoot
      isRequired
      Field={SchemaField}
    />
  </div>
);
