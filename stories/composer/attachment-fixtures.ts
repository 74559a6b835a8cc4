import type { DraftAttachment } from "@/contract/draft-attachment";

const toReady = (
  name: string,
  mediaType: string,
  size: number,
  pixels?: { width: number; height: number },
): DraftAttachment & { state: "ready" } => ({
  key: name,
  name,
  size,
  mediaType,
  state: "ready",
  file: { id: name, name, media_type: mediaType, size, ...pixels },
});

// Named as the image that the stories have in the place of a file of the server.
export const PHOTO = toReady("tides.png", "image/png", 48_200, { width: 320, height: 180 });
export const REPORT = toReady("Harbour report 2026.pdf", "application/pdf", 1_482_000);
export const TABLE = toReady("tides.csv", "text/csv", 12_300);
export const DATABASE = toReady("moorings.sqlite", "application/x-sqlite3", 7_340_032);
export const DAMAGED = toReady("scan.png", "image/png", 9_200_000);
export const SENDING: DraftAttachment = {
  key: "sending",
  name: "pier.jpg",
  size: 6_200_000,
  mediaType: "image/jpeg",
  state: "uploading",
  progress: 0.4,
};
export const FAILED: DraftAttachment = {
  key: "failed",
  name: "IMG_2204.heic",
  size: 2_100_000,
  mediaType: "image/heic",
  state: "failed",
  error:
    "HEIC images cannot be shown here, as browsers and models do not read them. Send it as JPEG or PNG.",
};
