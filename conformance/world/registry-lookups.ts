import { broken, type Finding, held, inconclusive } from '../kit/check.ts'
import type { Party } from './create-trust-world.ts'
import { chooseDocumentType, documentTypes, type OpenTrustWorld } from './open-trust-world.ts'
import type { ServedRequest } from './start-kit-server.ts'

/** Checks that the DID registry did not have to return 406. `reason`: what happened otherwise. */
export function findDocumentsAcceptable(
  received: readonly ServedRequest[],
  reason: string,
): Finding {
  const verdictSource = 'requests to the DID registry'
  const requests = received.filter(({ path }) => path.startsWith('/api/v1/identifiers/'))
  if (requests.length === 0) {
    return inconclusive(`The DID registry received no request: ${reason}`, { verdictSource })
  }
  const refused = requests.find(({ headers }) => chooseDocumentType(headers.accept) === undefined)
  if (refused === undefined) {
    return held('Each request for a DID document accepts one of its types.', { verdictSource })
  }
  const { accept } = refused.headers
  return broken(`The DID registry returned 406 for a request with Accept: ${accept}`, {
    verdictSource,
    expected: documentTypes,
    actual: accept,
  })
}

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
