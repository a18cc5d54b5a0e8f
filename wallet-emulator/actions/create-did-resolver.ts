import { zDidDocument } from '#core/did/z-did-document.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import type { Lookup, ResolveDidDocument } from '#core/verification/lookup.ts'
import type { WalletHttp } from '../http/create-wallet-http.ts'

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
    try {
      const { status, json } = await http.request(
        `${base}/api/v1/identifiers/${encodeURIComponent(did)}${query}`,
        { headers: { accept: 'application/did+ld+json' } },
      )
      if (status === 404) return missing('not-found', `the registry does not know ${did}`)
      if (status !== 200) return missing('unavailable', `the registry answered ${status}`)
      const document = zDidDocument.safeParse(json)
      return document.success && document.data.id === did
        ? { ok: true, value: document.data }
        : missing('unavailable', `the registry answered no DID document of ${did}`)
    } catch (error) {
      if (!isTestbedError(error)) throw error
      return missing('unavailable', error.message)
    }
  }
}

function missing(kind: 'not-found' | 'unavailable', reason: string): Lookup<never> {
  return { ok: false, kind, reason }
}
