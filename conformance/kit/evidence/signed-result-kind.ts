import type { PublicJwk } from '#core/crypto/jwk.ts'
import { findVerificationKey, hasRelationship } from '#core/did/did-document.ts'
import { environmentOfSigner } from '#core/did/did-org.ts'
import {
  type ExplainableKind,
  type ExplainOptions,
  factsOf,
  notRecognised,
  timeOf,
} from '#core/explanation/explanation.ts'
import { judgeIn } from '#core/explanation/judge-in.ts'
import type { InputJwt } from '#core/explanation/read-input.ts'
import type { Lookup } from '#core/verification/rules.ts'
import { formatTally } from '#scenarios/reports/verdicts.ts'
import { verifySignedResult } from './verify-signed-result.ts'
import { type SignedResult, signedResultType } from './z-signed-result.ts'

/** What a signed result is held against, beside what it says itself. */
export interface SignedResultKindOptions {
  /** The operator's key, known by other means. */
  readonly publicKey?: PublicJwk | undefined
  /** The `results.json` that it belongs to. */
  readonly resultsJson?: Uint8Array | undefined
}

/** Its stable name as a kind. */
export const signedResultKind = 'signed-conformance-result'

/** The signed result of a conformance plan, for explanations: rule by rule, and what it says. */
export const createSignedResultKind = (against: SignedResultKindOptions): ExplainableKind => ({
  kind: signedResultKind,
  title: 'signed conformance result',
  recognise: ({ jwt, jwtProblem }) => {
    if (!jwt) return notRecognised(`it is no JWT: ${jwtProblem}`)
    if (jwt.jws.header.typ !== signedResultType) {
      return notRecognised(`typ is not ${signedResultType}`)
    }
    return {
      ok: true,
      by: `a JWT whose typ is ${signedResultType}`,
      explain: async (options) => {
        const { result, failures, checked } = await verifySignedResult({
          jws: jwt.compact,
          now: options.now,
          ...against,
          resolveKey: (kid) => resolveKey(kid, jwt, options),
        })
        const { header, payload } = jwt.jws
        return {
          failures,
          checked,
          facts: result === undefined ? [] : describe(result),
          content: { header, payload },
        }
      },
    }
  },
})

/** The key that a DID document of the registries has for a `kid`, where it is for assertions. */
async function resolveKey(
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
  const { sources } = judgeIn(options, environmentOfSigner(compact))
  const document = await sources.resolveDidDocument(kid.split('#', 1)[0] ?? kid)
  if (!document.ok) return document
  const key = findVerificationKey(document.value, kid)
  return key && hasRelationship(document.value, kid, 'assertionMethod')
    ? { ok: true, value: key }
    : { ok: false, kind: 'not-found', reason: `the DID document has no key ${kid} for assertions` }
}

function describe({ iss, iat, plan, target, kit, strict, counts, ...rest }: SignedResult) {
  const failed = rest.checks.filter(({ verdict }) => verdict === 'failed')
  return factsOf([
    ['Plan', plan],
    ['Target', target.name],
    ['Addresses', Object.entries(target.addresses).map(([part, url]) => `${part} ${url}`)],
    ['Result', formatTally(counts, true)],
    ['Failed', failed.map(({ id }) => id)],
    ['Checks', rest.selection === undefined ? 'all of the plan' : `only ${rest.selection}`],
    ['Strict', strict ? 'yes' : 'no'],
    ['Interrupted', rest.interrupted ? 'yes' : undefined],
    ['Kit', kit.commit === undefined ? kit.version : `${kit.version}, commit ${kit.commit}`],
    ['Run', rest.started_at],
    ['Signed', timeOf(iat)],
    ['By', iss],
  ])
}
