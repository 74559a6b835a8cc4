import { notFound } from "next/navigation";

/** An address below /settings without a page: the frame of the settings stays. */
const MissingPage = () => notFound();
export default MissingPage;
