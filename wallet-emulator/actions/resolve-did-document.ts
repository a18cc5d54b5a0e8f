import { type DidDocument, zDidDocument } from '#core/did/z-did-document.ts'
import type { WalletHttp } from '../http/create-wallet-http.ts'

/**
 * The DID document as it stood at a time in Unix seconds, by default now. Undefined where no registry
 * is known for this DID, or where the registry does not know it. Throws a TestbedError `unreachable`
 * where the registry does not answer.
 */
export type DidResolver = (did: string, at?: number) => Promise<DidDocument | undefined>

/**
 * Resolves DIDs of registries that the caller names by base address (Document 2, GET
 * /api/v1/identifiers/{identifier}); undefined for a DID whose registry it does not know.
 */
export function createDidResolver(
  http: WalletHttp,
  didRegistryBaseUrlFor: (did: string) => string | undefined,
): DidResolver {
  return async (did, at) => {
    const base = didRegistryBaseUrlFor(did)
    if (base === undefined) return undefined
    const query = at === undefined ? '' : `?valid-at=${Math.floor(at)}`
    const response = await http.request(
      `${base.replace(/\/$/, '')}/api/v1/identifiers/${encodeURIComponent(did)}${query}`,
      { headers: { accept: 'application/did+ld+json' } },
    )
    if (response.status !== 200) return undefined
    const document = zDidDocument.safeParse(response.json)
    return document.success && document.data.id === did ? document.data : undefined
  }
}
