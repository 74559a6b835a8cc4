import { ImageLink } from "./image-link";

/** An image that is a file of a chat. A click shows it in its size. */
export const FileImage = ({ url, name }: { url: string; name: string }) => (
  <ImageLink url={url} name={name} className="self-start">
    <img
      src={url}
      alt={name}
      loading="lazy"
      className="max-h-96 max-w-full rounded-md border object-contain"
    />
  </ImageLink>
);
