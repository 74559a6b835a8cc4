/** A file of `stories/files`, whose id is its name there. */
export const tidesImage = {
  id: "tides.png",
  name: "tides.png",
  media_type: "image/png",
  size: 2_100,
};

/** A file that stories only name. */
export const tidesCsv = { id: "a2", name: "tides.csv", media_type: "text/csv", size: 2_100 };
