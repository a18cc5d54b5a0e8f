import { zDidDocument } from '#core/did/did-document.ts'
import type { ResolveDidDocument } from '#core/verification/lookup.ts'
import type { WalletHttp } from '../http/create-wallet-http.ts'
import { lookUp, missing } from '../trust/look-up.ts'

/**
 * Resolves DIDs at the registries that the caller names by base address (Document 2, GET
 * /api/v1/identifiers/{identifier}); a DID whose registry the caller does not know is not found.
 */
export function createDidResolver(
  http: WalletHttp,
  didRegistryBaseUrlFor: (did: string) => string | undefined,
): ResolveDidDocument {
  return async (did, validAt) => {
    const base = didRegistryBaseUrlFor(did)?.replace(/\/$/, '')
    if (base === undefined) return missing('not-found', `no registry is known for ${did}`)
    const query = validAt === undefined ? '' : `?valid-at=${Math.floor(validAt)}`
    return lookUp(http, {
      url: `${base}/api/v1/identifiers/${encodeURIComponent(did)}${query}`,
      accept: 'application/did+ld+json',
      read({ json }) {
        const document = zDidDocument.safeParse(json)
        return document.success && document.data.id === did ? document.data : undefined
      },
    })
  }
}
