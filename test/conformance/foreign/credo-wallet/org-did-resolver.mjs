import { DidDocument, JsonTransformer } from '@credo-ts/core'

/** Glue: resolves DIDs of the ecosystem's registry, which Credo does not know. */
export class OrgDidResolver {
  supportedMethods = ['org']
  allowsCaching = false
  allowsLocalDidRecord = false

  constructor(didRegistryUrl) {
    this.didRegistryUrl = didRegistryUrl
  }

  async resolve(_context, did) {
    const address = `${this.didRegistryUrl}/api/v1/identifiers/${encodeURIComponent(did)}`
    const response = await fetch(address).catch(() => undefined)
    const didDocument = response?.ok
      ? JsonTransformer.fromJSON(await response.json(), DidDocument)
      : null
    const found = didDocument ? { contentType: 'application/did+ld+json' } : { error: 'notFound' }
    return { didDocument, didDocumentMetadata: {}, didResolutionMetadata: found }
  }
}
