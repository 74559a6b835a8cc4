/** An image that is a file of a chat, with a link to it in its size. */
export const FileImage = ({ url, name }: { url: string; name: string }) => (
  <a href={url} target="_blank" rel="noreferrer" className="self-start">
    <img
      src={url}
      alt={name}
      loading="lazy"
      className="max-h-96 max-w-full rounded-md border object-contain"
    />
  </a>
);
