"use client";
import { type MouseEvent, type ReactNode, useState } from "react";
import { lazyParts } from "./lazy-parts";
import type { LightboxImage } from "./lightbox";

const Lightbox = lazyParts(() => import("./lightbox"));

type ImageLinkProps = {
  /** Of the image in its size. */
  url: string;
  /** The name of the file. */
  name: string;
  className?: string;
  children: ReactNode;
};

type Opened = { images: readonly LightboxImage[]; first: number };

/**
 * A link to an image. A plain click shows it above the page, with the other images around it; opening in a new tab and
 * copying work as with other links.
 */
export const ImageLink = ({ url, name, className, children }: ImageLinkProps) => {
  const [opened, setOpened] = useState<Opened>();
  const handleClick = (event: MouseEvent<HTMLAnchorElement>): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    setOpened(findImages(event.currentTarget));
  };
  return (
    <>
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        title={name}
        data-image={name}
        className={className}
        onClick={handleClick}
      >
        {children}
      </a>
      {opened && <Lightbox {...opened} onClose={() => setOpened(undefined)} />}
    </>
  );
};

/** @returns the images of the links in the same list of messages, panel or page. */
const findImages = (link: HTMLAnchorElement): Opened => {
  const area = link.closest("[role=log], [role=dialog]") ?? document.body;
  const links = [...area.querySelectorAll<HTMLAnchorElement>("a[data-image]")];
  return {
    images: links.map(({ href, dataset }) => ({ url: href, name: dataset.image ?? "" })),
    first: links.indexOf(link),
  };
};
