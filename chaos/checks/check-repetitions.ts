import type { Api } from "../../e2e/api";
import { postUntilAnswered, readId } from "../keyed-request";
import type { Ledger } from "../ledger";

/** Repeats every acknowledged request of a round: each gets its first answer again. */
export const checkRepetitions = async (api: Api, ledger: Ledger): Promise<void> => {
  for (const { status, id, ...request } of ledger.answers.splice(0)) {
    const again = await postUntilAnswered(api, request);
    const text = `${request.route} with the key ${request.key}`;
    if (!again) {
      ledger.report("stuck", `${text} was not answered again`);
    } else if (again.status !== status) {
      ledger.report("lost", `${text} was answered ${status} and then ${again.status}`);
    } else if (readId(again.body) !== id) {
      ledger.report("doubled", `${text} created ${id} and then ${readId(again.body)}`);
    }
  }
};
