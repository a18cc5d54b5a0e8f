import { parseJws } from '#core/crypto/parse-jws.ts'
import type { DidDocument } from '#core/did/z-did-document.ts'
import { evaluateRules } from '#core/verification/evaluate-rules.ts'
import { bitAt } from './bit-at.ts'
import { decodeBitstring } from './decode-bitstring.ts'
import { statusListRules } from './status-list-rules.ts'
import { type StatusEntry, statusListForms, zStatusListCredential } from './z-status-list.ts'

export interface CheckStatusOptions {
  readonly entry: StatusEntry
  /** The list credential that was fetched from the entry's address: a JWT. */
  readonly statusList: string
  readonly issuerDid: string
  /** The issuer's DID document as it is now. */
  readonly issuerDocument: DidDocument
  /** Unix seconds. */
  readonly now: number
}

export type StatusResult =
  | { readonly ok: true; readonly revoked: boolean }
  | { readonly ok: false; readonly reason: string }

/**
 * Looks a credential up in its status list. The list must be signed by the same issuer with a key
 * that is in its assertionMethod now, be the list that the entry names, have the entry's purpose and
 * at least 131072 entries, and not be past its end (`statusListRules`). Whatever is amiss gives no
 * status at all.
 *
 * @see Bitstring Status List 1.0, Validate Algorithm
 * @assumption A-23
 */
export function checkStatus(options: CheckStatusOptions): StatusResult {
  const { entry, statusList, issuerDid, issuerDocument, now } = options
  const form = statusListForms[entry.type]
  const jws = parseJws(statusList)
  if (!jws.ok) return problem(`the list is no JWT: ${jws.reason}`)
  const document = { ok: true, value: issuerDocument } as const
  const context = { jws, entry, form, issuerDid, issuerDocument: document, now }
  const [failure] = evaluateRules(statusListRules, context).failures
  if (failure) return problem(failure.reason)
  const { vc } = zStatusListCredential.parse(jws.payload)
  const bits = decodeBitstring(vc.credentialSubject.encodedList, form.encoding)
  const revoked = bits && bitAt(bits, entry.statusListIndex)
  return revoked === undefined
    ? problem('the index is beyond the end of the list')
    : { ok: true, revoked }
}

function problem(reason: string): StatusResult {
  return { ok: false, reason }
}
