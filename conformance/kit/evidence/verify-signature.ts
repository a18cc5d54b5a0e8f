import type { z } from 'zod'
import { resolveHolderKey } from '#core/crypto/holder-did.ts'
import { jwkThumbprint, type PublicJwk } from '#core/crypto/jwk.ts'
import { type ParsedJws, verifyJws } from '#core/crypto/jws.ts'
import { algorithmOf } from '#core/crypto/suites.ts'
import { findVerificationKey, hasRelationship } from '#core/did/did-document.ts'
import { environmentOfSigner } from '#core/did/did-org.ts'
import type { ExplainOptions } from '#core/explanation/explanation.ts'
import { createPolicyAndSources } from '#core/explanation/policy-and-sources.ts'
import type { InputJwt } from '#core/explanation/read-input.ts'
import type { FailedLookup, Lookup, Rule, RuleText } from '#core/verification/rules.ts'
import { signedResultAlgorithms } from './operator-key.ts'

/** How far the clocks of a signer and a verifier may differ, in seconds. */
export const skewSeconds = 60

/** Where the key of a signature comes from. */
export interface KeySources {
  /** The operator's key, if known by other means; otherwise the key of `kid` is used. */
  readonly publicKey?: PublicJwk | undefined
  /** Finds the key of a `kid` that is neither a did:key nor a did:jwk, such as one of a did:org. */
  readonly resolveKey?: ((kid: string) => Promise<Lookup<PublicJwk>>) | undefined
}

/** A parsed signature of an operator, with the key that must verify it. */
export interface SignatureInput extends KeySources {
  readonly parsed: ParsedJws
  readonly key: Lookup<PublicJwk>
}

/** The rule that a signed document of this kind has this `typ` (RFC 8725, 3.11). */
export const createTypRule = (rule: string, typ: string): Rule<SignatureInput> => ({
  rule,
  statement: `typ is ${typ}.`,
  fix: `Set typ in the header to ${typ}.`,
  path: 'header.typ',
  evaluate: ({ parsed: { header } }, { fail }) => {
    if (header.typ !== typ) fail(`typ is not ${typ}`, undefined, header.typ)
  },
})

/** A rule for the content, which a schema has parsed. */
export const createPayloadRule = (
  texts: Pick<RuleText, 'rule' | 'statement' | 'fix'>,
): Rule<{ readonly payload: z.ZodSafeParseResult<unknown> }> => ({
  ...texts,
  path: 'payload',
  evaluate: ({ payload }, { fail }) => {
    for (const { path, message } of payload.error?.issues ?? []) {
      fail(message, ['payload', ...path].map(String).join('.'))
    }
  },
})

/** The rules for every signature of an operator: on the result of a plan, and on a statement. */
export const signatureRules: readonly Rule<SignatureInput>[] = [
  {
    rule: 'signed-result.alg',
    statement: `alg is one of ${signedResultAlgorithms.join(', ')}.`,
    fix: `Sign with ${signedResultAlgorithms.join(', ')}, and set alg accordingly.`,
    path: 'header.alg',
    evaluate: ({ parsed: { header } }, { fail }) => {
      if (algorithmIn(header.alg) === undefined)
        fail('alg is not one of them', undefined, header.alg)
    },
  },
  {
    rule: 'signed-result.key',
    statement: 'kid names the key, or the verifier provides the key.',
    fix: 'Set kid to a did:key or did:jwk that contains the key, or pass the public key of the signer with --key.',
    path: 'header.kid',
    evaluate: ({ key, publicKey }, { lack, note }) => {
      if (!key.ok) lack(key)
      else if (publicKey === undefined) {
        note(
          'This proves only that the holder of this key signed. Confirm by other means whose key it is.',
        )
      }
    },
  },
  {
    rule: 'signed-result.curve',
    statement: "alg matches the key's curve.",
    fix: "Set alg to the algorithm of the key's curve: ES256K for secp256k1, ES256 for P-256, EdDSA for Ed25519.",
    path: 'header.alg',
    evaluate: ({ parsed: { header }, key }, { fail, lack }) => {
      if (!key.ok) lack({ ...key, kind: 'not-asked' }, 'there is no key')
      else if (algorithmOf(key.value) !== header.alg) fail('alg does not match the key')
    },
  },
  {
    rule: 'signed-result.signature',
    statement: 'The signature is valid for the key.',
    fix: 'Provide the signed file unchanged, and the public key of the operator who signed it.',
    path: 'signature',
    evaluate: ({ parsed, key }, { fail, lack }) => {
      if (!key.ok) return lack({ ...key, kind: 'not-asked' }, 'there is no key')
      const algorithms = signedResultAlgorithms.filter((name) => name === algorithmOf(key.value))
      if (!verifyJws({ jws: parsed, publicKey: key.value, algorithms })) {
        fail('the signature is not valid for the key')
      }
    },
  },
  {
    rule: 'signed-result.iss',
    statement: 'iss is the DID of kid, or kid itself.',
    fix: 'Set iss to the DID in kid, or to kid itself if it is not a DID URL.',
    path: 'payload.iss',
    evaluate: ({ parsed: { header, payload } }, { fail }) => {
      const { kid } = header
      if (typeof kid === 'string' && payload.iss !== kid.split('#', 1)[0]) {
        fail('iss is not the owner of kid', undefined, payload.iss)
      }
    },
  },
]

const algorithmIn = (alg: unknown) => signedResultAlgorithms.find((name) => name === alg)

/** Without this rule no other rule of a signed result can be evaluated. */
export const signedResultFormatRule: Rule<string | undefined> = {
  rule: 'signed-result.format',
  statement: 'It is a JWS in compact serialization.',
  fix: 'Provide the file that the run wrote, unchanged: one JWS in compact serialization.',
  path: '',
  evaluate: (problem, { fail }) => {
    if (problem !== undefined) fail(problem)
  },
}

/** Without a key nothing was verified; without the files next to it, the signature is meaningful. */
export const isVital = (rule: string) => rule === 'signed-result.key'

/** The key to verify a signature with: that of `kid`, and the operator's key if it is known. */
export async function findKey(
  { header: { kid } }: ParsedJws,
  { publicKey, resolveKey }: KeySources,
): Promise<Lookup<PublicJwk>> {
  if (typeof kid !== 'string') {
    return publicKey ? { ok: true, value: publicKey } : absent('not-found', 'there is no kid')
  }
  if (!/^did:(key|jwk):/.test(kid)) {
    if (publicKey) return { ok: true, value: publicKey }
    return resolveKey?.(kid) ?? absent('not-asked', `the key of ${kid} cannot be resolved here`)
  }
  const own = resolveHolderKey(kid)?.publicKey
  if (own === undefined) return absent('not-found', 'kid does not resolve to a key')
  const isOther = publicKey !== undefined && jwkThumbprint(publicKey) !== jwkThumbprint(own)
  return isOther ? absent('not-found', 'kid does not name the given key') : { ok: true, value: own }
}

const absent = (kind: FailedLookup['kind'], reason: string): FailedLookup => ({
  ok: false,
  kind,
  reason,
})

/** The key that a DID document of the registries lists for a `kid` under assertionMethod. */
export async function resolveKey(
  kid: string,
  { compact }: InputJwt,
  options: ExplainOptions,
): Promise<Lookup<PublicJwk>> {
  const unknown = {
    ok: false,
    kind: 'not-asked',
    reason: `the key of ${kid} is not known`,
  } as const
  if (!kid.startsWith('did:')) return unknown
  const { sources } = createPolicyAndSources(options, environmentOfSigner(compact))
  const document = await sources.resolveDidDocument(kid.split('#', 1)[0] ?? kid)
  if (!document.ok) return document
  const key = findVerificationKey(document.value, kid)
  return key && hasRelationship(document.value, kid, 'assertionMethod')
    ? { ok: true, value: key }
    : { ok: false, kind: 'not-found', reason: `the DID document has no key ${kid} for assertions` }
}
