import { Camera, Trash2, Upload } from "lucide-react";
import { type ChangeEvent, type ReactNode, useRef, useState } from "react";
import type { JsonObject } from "@/contract/json";
import { Button } from "@/components/ui/button";
import { FieldGroup } from "./field-group";
import type { FieldProps } from "./field-props";
import { getFieldTexts, toText } from "./field-texts";
import { FILE } from "./form-keywords";
import { describeFile, readFile } from "./read-file";

/** A file that is sent as text. */
export const SchemaFileField = (props: FieldProps) => {
  const { schema, value, onChange, disabled } = props;
  const { label, labelHidden, hint, error } = getFieldTexts(props);
  const [name, setName] = useState("");
  const [failure, setFailure] = useState<string>();
  const wanted = toWanted(schema);
  const { mediaType } = wanted;
  const isImage = mediaType?.startsWith("image/") === true;
  const choose = async (file: File) => {
    const read = await readFile(file, wanted);
    setFailure("error" in read ? read.error : undefined);
    if ("error" in read) return;
    setName(file.name);
    onChange(read.value);
  };
  const fail = () => setFailure("The file cannot be read.");
  const picker = {
    disabled,
    onChoose: (file: File) => {
      choose(file).catch(fail);
    },
  };
  const isChosen = typeof value === "string";
  return (
    <FieldGroup label={label} labelHidden={labelHidden} hint={hint} error={failure ?? error}>
      <div className="flex flex-wrap items-center gap-2">
        <Picker
          {...picker}
          accept={isImage ? "image/*" : mediaType}
          icon={<Upload aria-hidden size={14} />}
        >
          {isChosen ? "Choose another file" : "Choose a file"}
        </Picker>
        {isImage && (
          <span className="hidden pointer-coarse:inline">
            <Picker {...picker} accept="image/*" capture icon={<Camera aria-hidden size={14} />}>
              Take a photo
            </Picker>
          </span>
        )}
        {isChosen && (
          <Button
            size="sm"
            variant="ghost"
            icon={<Trash2 aria-hidden size={14} />}
            disabled={disabled}
            onClick={() => onChange(undefined)}
          >
            Remove the file
          </Button>
        )}
      </div>
      <p role="status" className="pt-1.5 text-note wrap-anywhere text-muted empty:hidden">
        {isChosen && [name, describeFile(value, wanted)].filter((text) => text !== "").join(" · ")}
      </p>
    </FieldGroup>
  );
};

const toWanted = (schema: JsonObject) =>
  ({
    encoding: schema[FILE] === "data-url" ? "data-url" : "base64",
    mediaType: toText(schema.contentMediaType),
  }) as const;

type PickerProps = {
  accept: string | undefined;
  capture?: boolean;
  icon: ReactNode;
  disabled: boolean;
  onChoose: (file: File) => void;
  children: ReactNode;
};

/** A button that opens the picker of the system. */
const Picker = ({ accept, capture = false, icon, disabled, onChoose, children }: PickerProps) => {
  const input = useRef<HTMLInputElement>(null);
  const handleChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    // The same file can be chosen again after it was changed.
    target.value = "";
    if (file) onChoose(file);
  };
  return (
    <>
      <Button size="sm" icon={icon} disabled={disabled} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        capture={capture ? "environment" : undefined}
        onChange={handleChange}
      />
    </>
  );
};
