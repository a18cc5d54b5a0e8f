import type { SigningAlgorithm } from '#core/crypto/jwk.ts'
import { type ParsedJws, parseJws } from '#core/crypto/parse-jws.ts'
import { verifyJws } from '#core/crypto/verify-jws.ts'
import type { DidDocument } from '#core/did/z-did-document.ts'
import { findVerificationKey, hasRelationship } from '#core/verification/find-verification-key.ts'
import { parseIsoTime } from '#core/verification/iso-time.ts'
import { bitAt } from './bit-at.ts'
import { decodeBitstring } from './decode-bitstring.ts'
import { fewestEntries } from './encode-bitstring.ts'
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

const algorithms: readonly SigningAlgorithm[] = ['ES256K', 'ES256', 'EdDSA']

/**
 * Looks a credential up in its status list. The list must be signed by the same issuer with a key
 * that is in its assertionMethod now, be the list that the entry names, have the entry's purpose and
 * at least 131072 entries, and not be past its end. Whatever is amiss gives no status at all.
 *
 * @see Bitstring Status List 1.0, Validate Algorithm
 * @assumption A-23
 */
export function checkStatus(options: CheckStatusOptions): StatusResult {
  const { entry, statusList, now } = options
  const form = statusListForms[entry.type]
  const jws = parseJws(statusList)
  if (!jws.ok) return problem(`the list is no JWT: ${jws.reason}`)
  const signature = findSignatureProblem(jws, options)
  if (signature !== undefined) return problem(signature)
  const parsed = zStatusListCredential.safeParse(jws.payload)
  if (!parsed.success) return problem('the list is no status list credential')
  const { vc, exp, nbf } = parsed.data
  const { type, statusPurpose, encodedList } = vc.credentialSubject
  if (vc.id !== entry.statusListCredential) return problem('this is another list')
  if (!vc.type.includes(form.credentialType) || type !== form.subjectType) {
    return problem(`the list is no ${form.credentialType}`)
  }
  if (![statusPurpose].flat().includes(entry.statusPurpose)) {
    return problem(`the list is not for the purpose ${entry.statusPurpose}`)
  }
  const validUntil = parseIsoTime(vc.validUntil)
  const validFrom = parseIsoTime(vc.validFrom)
  if (vc.validUntil !== undefined && validUntil === undefined) {
    return problem('validUntil of the list is no time')
  }
  if (vc.validFrom !== undefined && validFrom === undefined) {
    return problem('validFrom of the list is no time')
  }
  const end = Math.min(exp ?? Infinity, validUntil ?? Infinity)
  if (end <= now) return problem('the list is past its end')
  if (Math.max(nbf ?? 0, validFrom ?? 0) > now + 60) return problem('the list is not valid yet')
  const bits = decodeBitstring(encodedList, form.encoding)
  if (!bits) return problem('the list can not be unpacked')
  if (bits.length * 8 < fewestEntries)
    return problem(`the list has less than ${fewestEntries} entries`)
  const revoked = bitAt(bits, entry.statusListIndex)
  return revoked === undefined
    ? problem('the index is beyond the end of the list')
    : { ok: true, revoked }
}

function findSignatureProblem(
  jws: ParsedJws,
  { issuerDid, issuerDocument }: CheckStatusOptions,
): string | undefined {
  const { kid } = jws.header
  if (jws.payload.iss !== issuerDid) return 'the list has another issuer than the credential'
  if (typeof kid !== 'string' || kid.split('#')[0] !== issuerDid) {
    return "the kid of the list names no key of the credential's issuer"
  }
  if (!hasRelationship(issuerDocument, kid, 'assertionMethod')) {
    return "the key of the list is not in the issuer's assertionMethod now"
  }
  const publicKey = findVerificationKey(issuerDocument, kid)
  return publicKey && verifyJws({ jws, publicKey, algorithms, remember: true })
    ? undefined
    : 'the signature of the list does not verify'
}

function problem(reason: string): StatusResult {
  return { ok: false, reason }
}
