import type { Model } from "@/contract/model";
import { lazyParts } from "@/components/ui/lazy-parts";
import type { ComposerAttachments } from "./composer-files";
import { DropTarget } from "./drop-target";

const ComposerFiles = lazyParts(() => import("./composer-files"));

type AttachmentsProps = {
  /** Absent where a message can have no files. */
  attachments?: ComposerAttachments | undefined;
  /** Which will get the message; undefined without one. */
  model?: Model | undefined;
  disabled: boolean;
};

/** Takes files that are dropped on the page, and shows those of the message, whose scripts are loaded with the first. */
export const Attachments = ({ attachments, model, disabled }: AttachmentsProps) => {
  if (!attachments || disabled) return null;
  const { onAdd, ...files } = attachments;
  return (
    <>
      <DropTarget onDrop={onAdd} />
      {files.items.length > 0 && <ComposerFiles {...files} model={model} />}
    </>
  );
};
