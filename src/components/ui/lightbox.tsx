"use client";
import { ChevronLeft, ChevronRight, Download, X } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { IconButton } from "./icon-button";
import { Modal, type ModalHandle } from "./modal";

export type LightboxImage = { url: string; name: string };

type LightboxProps = {
  images: readonly LightboxImage[];
  /** The index of the image that is shown first. */
  first: number;
  onClose: () => void;
};

/** Shows images one at a time, as large as the window allows. */
const Lightbox = ({ images, first, onClose }: LightboxProps) => {
  const modal = useRef<ModalHandle>(null);
  const [index, setIndex] = useState(first);
  const image = images[index];
  const go = (by: -1 | 1): void => {
    if (images[index + by]) setIndex(index + by);
  };
  const handleKey = (event: KeyboardEvent): void => {
    // The page behind it has keys of its own, such as Escape, which stops an answer.
    event.stopPropagation();
    if (event.key === "ArrowLeft") go(-1);
    if (event.key === "ArrowRight") go(1);
  };
  if (!image) return null;
  return (
    <Modal ref={modal} fit="window" label={image.name} onClose={onClose} onKeyDown={handleKey}>
      <div className="flex min-h-0 w-full min-w-0 flex-col">
        <Head
          {...image}
          position={{ index, count: images.length }}
          onClose={() => modal.current?.close()}
        />
        <div className="relative flex min-h-0 flex-1 items-center justify-center p-3">
          <img
            key={image.url}
            src={image.url}
            alt={image.name}
            className="max-h-full max-w-full object-contain"
          />
          {images.length > 1 && (
            <>
              <span className="absolute left-3">
                <IconButton
                  variant="secondary"
                  label="Previous image"
                  icon={<ChevronLeft aria-hidden size={18} />}
                  disabled={index === 0}
                  onClick={() => go(-1)}
                />
              </span>
              <span className="absolute right-3">
                <IconButton
                  variant="secondary"
                  label="Next image"
                  icon={<ChevronRight aria-hidden size={18} />}
                  disabled={index === images.length - 1}
                  onClick={() => go(1)}
                />
              </span>
            </>
          )}
        </div>
      </div>
    </Modal>
  );
};
export default Lightbox;

type HeadProps = LightboxImage & {
  position: { index: number; count: number };
  onClose: () => void;
};

const Head = ({ url, name, position: { index, count }, onClose }: HeadProps) => (
  <header className="flex shrink-0 items-center gap-2 border-b py-1 pr-2 pl-4 text-sm">
    <h2 className="min-w-0 flex-1 truncate font-medium" title={name}>
      {name}
    </h2>
    {count > 1 && (
      <p role="status" className="shrink-0 text-muted tabular-nums">
        {index + 1} of {count}
      </p>
    )}
    <a
      href={url}
      download={name}
      className="flex min-h-9 shrink-0 items-center gap-1.5 rounded-md px-2 transition-colors hover:bg-hover pointer-coarse:min-h-11"
    >
      <Download aria-hidden size={15} /> Download
    </a>
    <IconButton label="Close" icon={<X aria-hidden size={18} />} onClick={onClose} />
  </header>
);
