import { type ParsedJws, parseJws, verifyJws } from '#core/crypto/jws.ts'
import { registeredSuites } from '#core/crypto/suites.ts'
import { type DidDocument, findVerificationKey, hasRelationship } from '#core/did/did-document.ts'
import { isTime, parseIsoTime, skewSeconds } from '#core/verification/data-model.ts'
import { evaluateRules, type Lookup, type Rule, type RuleReport } from '#core/verification/rules.ts'
import type { VerificationCache } from '#core/verification/verification-cache.ts'
import { bitAt, decodeBitstring, fewestEntries } from './bitstring.ts'
import {
  type StatusEntry,
  type StatusListCredential,
  type StatusListForm,
  statusListForms,
  zStatusListCredential,
} from './status-list-credential.ts'

/** A status list credential with everything that its rules need. */
export interface StatusListContext {
  readonly jws: ParsedJws
  /** The credential's entry that names the list; undefined if only a list is checked. */
  readonly entry: StatusEntry | undefined
  /** The expected form of the list; undefined if unknown. */
  readonly form: StatusListForm | undefined
  /** The issuer of the credential, or of the list if only a list is checked. */
  readonly issuerDid: string | undefined
  /** The issuer's DID document as it is now. */
  readonly issuerDocument: Lookup<DidDocument>
  /** Unix seconds. */
  readonly now: number
  readonly cache?: VerificationCache | undefined
}

const whenReadable =
  (
    evaluate: (list: StatusListCredential, context: StatusListContext, report: RuleReport) => void,
  ) =>
  (context: StatusListContext, report: RuleReport) => {
    const list = zStatusListCredential.safeParse(context.jws.payload)
    if (list.success) evaluate(list.data, context, report)
  }

/**
 * The rules for a status list, signature first. An input that is not a status list credential
 * breaks `status-list.shape` and skips the rules about its content.
 *
 * @see Bitstring Status List 1.0, Validate Algorithm
 * @assumption A-23
 */
export const statusListRules: readonly Rule<StatusListContext>[] = [
  {
    rule: 'status-list.issuer',
    statement: "iss and the DID in kid are the issuer of the list's credentials.",
    fix: 'Sign the list as the issuer of its credentials: set iss to that DID, and kid to one of its keys.',
    path: 'iss',
    evaluate: ({ jws, issuerDid }, { fail }) => {
      const { kid } = jws.header
      if (issuerDid === undefined || jws.payload.iss !== issuerDid) {
        fail(
          'the issuer of the list is not the issuer of the credential',
          undefined,
          jws.payload.iss,
        )
      }
      if (typeof kid !== 'string' || kid.split('#')[0] !== issuerDid) {
        fail(
          "the kid of the list does not name a key of the credential's issuer",
          'header.kid',
          kid,
        )
      }
    },
  },
  {
    rule: 'status-list.key',
    statement: "The key is in the issuer's assertionMethod now.",
    fix: "Sign the list again with a key that is in the issuer's assertionMethod now.",
    path: 'header.kid',
    evaluate: ({ jws, issuerDocument }, { fail, lack }) => {
      if (!issuerDocument.ok) lack(issuerDocument)
      else if (!hasRelationship(issuerDocument.value, jws.header.kid, 'assertionMethod')) {
        fail("the key of the list is not in the issuer's assertionMethod now")
      }
    },
  },
  {
    rule: 'status-list.signature',
    statement: "The signature verifies with the key in the issuer's DID document.",
    fix: 'Sign the list again with the private key of the verification method that kid names.',
    path: '',
    evaluate: ({ jws, issuerDocument, cache }, { fail, lack }) => {
      if (!issuerDocument.ok) {
        lack(issuerDocument)
        return
      }
      const publicKey = findVerificationKey(issuerDocument.value, jws.header.kid)
      if (
        !publicKey ||
        !verifyJws({ jws, publicKey, algorithms: registeredSuites, cache, remember: true })
      ) {
        fail('the signature of the list does not verify')
      }
    },
  },
  {
    rule: 'status-list.shape',
    statement: 'The list is a credential whose subject contains an encodedList and its purpose.',
    fix: 'Give vc an id and a type array. Give its credentialSubject type, statusPurpose and encodedList.',
    path: 'vc',
    evaluate: ({ jws }, { fail }) => {
      const list = zStatusListCredential.safeParse(jws.payload)
      if (!list.success) fail('the list is not a valid status list credential')
    },
  },
  {
    rule: 'status-list.id',
    statement: 'The list is the one that the credential names.',
    fix: 'Set vc.id to the address in credentialStatus.statusListCredential, and serve the list there.',
    path: 'vc.id',
    evaluate: whenReadable(({ vc }, { entry }, { fail, note }) => {
      if (!entry) note('Only the list was checked, without a credential that names it.')
      else if (vc.id !== entry.statusListCredential)
        fail('this is a different list', undefined, vc.id)
    }),
  },
  {
    rule: 'status-list.type',
    statement: 'The list and its subject have one of the two supported forms.',
    fix: 'Use the type BitstringStatusListCredential with the subject type BitstringStatusList, or StatusList2021Credential with StatusList2021.',
    path: 'vc.type',
    evaluate: whenReadable(({ vc }, { form }, { fail }) => {
      const { type } = vc.credentialSubject
      if (!form) fail('the form of the list is unknown', undefined, vc.type)
      else if (!vc.type.includes(form.credentialType) || type !== form.subjectType) {
        fail(`the list is not a ${form.credentialType}`, undefined, [...vc.type, type])
      }
    }),
  },
  {
    rule: 'status-list.purpose',
    statement: 'The list is for the purpose that the credential names.',
    fix: "Set statusPurpose of the list to the purpose in the credential's credentialStatus, such as revocation.",
    path: 'vc.credentialSubject.statusPurpose',
    evaluate: whenReadable(({ vc }, { entry }, { fail, note }) => {
      const purposes = [vc.credentialSubject.statusPurpose].flat()
      if (!entry) note(`The purpose of the list is ${purposes.join(', ')}.`)
      else if (!purposes.includes(entry.statusPurpose)) {
        fail(`the list is not for the purpose ${entry.statusPurpose}`, undefined, purposes)
      }
    }),
  },
  {
    rule: 'status-list.period',
    statement: 'The list is valid now.',
    fix: 'Sign a new list with an exp and validUntil in the future, and an nbf and validFrom in the past.',
    path: 'exp',
    evaluate: whenReadable(({ vc, exp, nbf }, { now }, { fail }) => {
      const validUntil = parseIsoTime(vc.validUntil)
      const validFrom = parseIsoTime(vc.validFrom)
      if (vc.validUntil !== undefined && validUntil === undefined) {
        fail('validUntil of the list is not a valid time', 'vc.validUntil', vc.validUntil)
      }
      if (vc.validFrom !== undefined && validFrom === undefined) {
        fail('validFrom of the list is not a valid time', 'vc.validFrom', vc.validFrom)
      }
      for (const [claim, time] of Object.entries({ exp, nbf })) {
        if (time !== undefined && !isTime(time)) {
          fail(`${claim} of the list is not a valid time`, claim, time)
        }
      }
      const end = Math.min(exp ?? Infinity, validUntil ?? Infinity)
      if (end <= now) fail('the list has expired')
      if (Math.max(nbf ?? 0, validFrom ?? 0) > now + skewSeconds) {
        fail('the list is not valid yet', 'nbf')
      }
    }),
  },
  {
    rule: 'status-list.entries',
    statement: `encodedList contains at least ${fewestEntries} entries.`,
    fix: `Compress at least ${fewestEntries} bits with gzip and encode them in base64url. Prefix u in a BitstringStatusList, nothing in a StatusList2021.`,
    path: 'vc.credentialSubject.encodedList',
    evaluate: whenReadable(({ vc }, { form, cache }, { fail }) => {
      const bits = decodeBitstring(vc.credentialSubject.encodedList, form?.encoding, cache)
      if (!bits) fail('the list cannot be decompressed')
      else if (bits.length * 8 < fewestEntries) {
        fail(`the list has fewer than ${fewestEntries} entries`)
      }
    }),
  },
]

export interface CheckStatusOptions {
  readonly entry: StatusEntry
  /** The list credential that was fetched from the entry's address: a JWT. */
  readonly statusList: string
  readonly issuerDid: string
  /** The issuer's DID document as it is now. */
  readonly issuerDocument: DidDocument
  /** Unix seconds. */
  readonly now: number
  readonly cache?: VerificationCache | undefined
}

export type StatusResult =
  | { readonly ok: true; readonly revoked: boolean }
  | { readonly ok: false; readonly reason: string }

/**
 * Looks a credential up in its status list. The list must be signed by the same issuer with a key
 * that is in its assertionMethod now, be the list that the entry names, have the entry's purpose
 * and at least 131072 entries, and not have expired (`statusListRules`). Any other problem means
 * that the status is unknown.
 *
 * @see Bitstring Status List 1.0, Validate Algorithm
 * @assumption A-23
 */
export function checkStatus(options: CheckStatusOptions): StatusResult {
  const { entry, statusList, issuerDid, issuerDocument, now, cache } = options
  const form = statusListForms[entry.type]
  const jws = parseJws(statusList)
  if (!jws.ok) return problem(`the list is not a JWT: ${jws.reason}`)
  const document = { ok: true, value: issuerDocument } as const
  const context = { jws, entry, form, issuerDid, issuerDocument: document, now, cache }
  const [failure] = evaluateRules(statusListRules, context).failures
  if (failure) return problem(failure.reason)
  const { vc } = zStatusListCredential.parse(jws.payload)
  const bits = decodeBitstring(vc.credentialSubject.encodedList, form.encoding, cache)
  const revoked = bits && bitAt(bits, entry.statusListIndex)
  return revoked === undefined
    ? problem('the index is beyond the end of the list')
    : { ok: true, revoked }
}

function problem(reason: string): StatusResult {
  return { ok: false, reason }
}
