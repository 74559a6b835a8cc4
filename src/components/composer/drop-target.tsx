import { useEffect, useState } from "react";

/** Takes files that are dropped anywhere on the page, and says so while they are over it. */
export const DropTarget = ({ onDrop }: { onDrop: (files: File[]) => void }) => {
  const isOver = useFileDrop(onDrop);
  if (!isOver) return null;
  return (
    <div className="pointer-events-none fixed inset-0 z-50 grid place-items-center bg-scrim p-6">
      <p className="rounded-xl border-2 border-dashed border-accent bg-raised px-8 py-6 text-lg font-medium">
        Drop files to add them to the message
      </p>
    </div>
  );
};

const hasFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes("Files") ?? false;

const useFileDrop = (onDrop: (files: File[]) => void): boolean => {
  const [isOver, setOver] = useState(false);
  // Syncs with what is dragged over the page.
  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      // Without this the browser opens the file in the place of the page.
      event.preventDefault();
      setOver(true);
    };
    window.addEventListener("dragover", over, { signal });
    window.addEventListener(
      "dragleave",
      // Also sent for each element that is left for another one of the page.
      ({ relatedTarget }) => relatedTarget === null && setOver(false),
      { signal },
    );
    window.addEventListener(
      "drop",
      (event) => {
        setOver(false);
        if (!hasFiles(event)) return;
        event.preventDefault();
        onDrop([...(event.dataTransfer?.files ?? [])]);
      },
      { signal },
    );
    return () => end.abort();
  }, [onDrop]);
  return isOver;
};
