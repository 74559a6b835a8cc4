import pixelmatch from "pixelmatch";
import sharp from "sharp";

type Comparison = {
  differingPixels: number;
  /** A PNG of what differs over the paled picture, undefined if nothing does. */
  difference?: Buffer;
};

/** One browser draws the same page with the same pixels, so each that differs counts. */
const EXACTLY = { threshold: 0, includeAA: true };

type Size = { width: number; height: number };

const readPixels = async (png: Buffer, { width, height }: Size): Promise<Buffer> => {
  const picture = sharp(png);
  const own = await picture.metadata();
  return picture
    .ensureAlpha()
    .extend({
      right: width - own.width,
      bottom: height - own.height,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    })
    .raw()
    .toBuffer();
};

/** Compares two PNG pictures pixel by pixel. What only the larger one has differs. */
export const comparePictures = async (before: Buffer, after: Buffer): Promise<Comparison> => {
  if (before.equals(after)) return { differingPixels: 0 };
  const sizes = await Promise.all([before, after].map((png) => sharp(png).metadata()));
  const size = {
    width: Math.max(...sizes.map(({ width }) => width)),
    height: Math.max(...sizes.map(({ height }) => height)),
  };
  const [old, current] = await Promise.all([readPixels(before, size), readPixels(after, size)]);
  const output = Buffer.alloc(old.length);
  const differingPixels = pixelmatch(old, current, output, size.width, size.height, EXACTLY);
  if (differingPixels === 0) return { differingPixels };
  const difference = await sharp(output, { raw: { ...size, channels: 4 } })
    .png()
    .toBuffer();
  return { differingPixels, difference };
};
