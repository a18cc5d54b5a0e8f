import { broken, type Finding, held, inconclusive } from '../kit/check.ts'
import type { ServedRequest } from './start-kit-server.ts'

/** The media types of the DID registry, the recommended one first. */
export const documentTypes = ['application/did+ld+json', 'application/did+json'] as const

/** The type in which the DID registry answers. Undefined if Accept excludes both: it answers 406. */
export function chooseDocumentType(accept?: string): string | undefined {
  const ranges = (accept || '*/*').split(',').map((range) => range.split(';')[0]?.trim())
  const isOpen = ranges.includes('*/*') || ranges.includes('application/*')
  return (
    documentTypes.find((type) => ranges.some((range) => range?.toLowerCase() === type)) ??
    (isOpen ? documentTypes[0] : undefined)
  )
}

/** Checks that the DID registry did not have to answer 406. `reason`: what happened otherwise. */
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
  return broken(`The DID registry answered 406 to a request with Accept: ${accept}`, {
    verdictSource,
    expected: documentTypes,
    actual: accept,
  })
}
