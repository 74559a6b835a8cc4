import { guardTranslatedTexts } from "./client/guard-translated-texts";

/** Next runs this file in each page, before React takes the page over. */
guardTranslatedTexts();
