import { signJws } from '#core/crypto/jws.ts'
import { type Results, zResults } from '#scenarios/harness/z-results.ts'
import type { OperatorKey } from './read-operator-key.ts'
import { sha256Of } from './sha256-of.ts'
import { summarizeResults } from './summarize-results.ts'
import { type SignedResult, signedResultType } from './z-signed-result.ts'

export interface SignResultOptions {
  /** `results.json` as it stands in the file: the signature is about these very bytes. */
  readonly resultsJson: Uint8Array
  readonly key: OperatorKey
  /** Unix seconds. */
  readonly now: number
}

/**
 * Signs the results of a plan as a JWS in compact serialization, to be shown to others.
 * @throws TypeError where the bytes hold no results of a plan
 */
export function signResult({ resultsJson, key, now }: SignResultOptions): string {
  const results: Results = zResults.parse(JSON.parse(new TextDecoder().decode(resultsJson)))
  const summary = summarizeResults(results)
  if (summary === undefined) throw new TypeError('only the results of a plan are signed')
  const payload: SignedResult = {
    iss: key.issuer,
    iat: now,
    ...summary,
    results_sha256: sha256Of(resultsJson),
  }
  const header = { alg: key.algorithm, typ: signedResultType, kid: key.kid }
  return signJws({ header, payload, privateKey: key.privateKey })
}
