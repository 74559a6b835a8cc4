import { ALL_PROVIDERS } from "./catalog/providers/all-providers";
import type { ChatModel } from "./model-step";
import { refusalsByClient } from "./refusals";

/** What a model takes besides text. */
export type FileAbilities = {
  /** Also if nothing is known of it: a refusal tells. */
  images: boolean;
  /** As documents, not as their text. */
  pdfs: boolean;
};

/** Finds what a model takes: by what its vendor says, and by what its server has refused. */
export const findFileAbilities = ({ client, provider, abilities }: ChatModel): FileAbilities => {
  const refused = refusalsByClient.get(client);
  const images = refused?.images !== true && abilities?.includes("images") !== false;
  const pdfs = abilities?.includes("pdfs") ?? ALL_PROVIDERS[provider].takesPdfs ?? false;
  return { images, pdfs: pdfs && refused?.pdfs !== true };
};
