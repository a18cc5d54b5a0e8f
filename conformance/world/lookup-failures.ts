import type { Party } from './create-trust-world.ts'
import type { OpenTrustWorld } from './open-trust-world.ts'

/** Makes a lookup about an issuer or its status list fail. Returns what makes it succeed again. */
type LookupFailure = (
  trust: OpenTrustWorld,
  about: { readonly issuer: Party; readonly statusListUrl: string },
) => () => void

/** Lookups that fail for a while, by description. */
export const lookupFailures: Readonly<Record<string, LookupFailure>> = {
  'The DID registry returns 500.': (trust, { issuer }) => {
    trust.misbehave('did-registry', 'server-error', issuer.did)
    return () => trust.misbehave('did-registry')
  },
  'The TIR returns 500.': (trust, { issuer }) => {
    trust.misbehave('tir', 'server-error', issuer.did)
    return () => trust.misbehave('tir')
  },
  'The DID of the issuer is not registered yet.': ({ world }, { issuer }) => {
    const uses = world.usesOf(issuer.did)
    const later = uses.splice(0)
    return () => uses.push(...later)
  },
  'The accreditation of the issuer is not published yet.': ({ world: { attributes } }, about) =>
    withhold(attributes, `${about.issuer.did} ${about.issuer.attributeId}`),
  'The status list is not published yet.': ({ world: { statusLists } }, { statusListUrl }) =>
    withhold(statusLists, statusListUrl),
}

function withhold<Value>(values: Map<string, Value>, key: string): () => void {
  const value = values.get(key) as Value
  values.delete(key)
  return () => values.set(key, value)
}
