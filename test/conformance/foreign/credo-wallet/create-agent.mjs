import { EventEmitter } from 'node:events'
import {
  Agent,
  DidDocument,
  DidsModule,
  InjectionSymbols,
  JsonTransformer,
  JwkDidRegistrar,
  JwkDidResolver,
  KeyDidResolver,
  Kms,
} from '@credo-ts/core'
import { OpenId4VcModule } from '@credo-ts/openid4vc'
import { fetchWithTokenEndpoint } from '../shared-glue.ts'
import { MemoryKeys, MemoryStorage } from './memory-stores.mjs'

/** Credo asks for a file system and for web sockets, and uses neither here. */
class Unused {}

/** A holder's agent with keys and records in memory; its DID is a new did:jwk. */
export async function createAgent({ didRegistryUrl }) {
  const agent = new Agent({
    config: { allowInsecureHttpUrls: true, autoUpdateStorageOnStartup: true },
    dependencies: {
      FileSystem: Unused,
      EventEmitterClass: EventEmitter,
      WebSocketClass: Unused,
      fetch: fetchWithTokenEndpoint,
    },
    modules: {
      storage: {
        register: (manager) =>
          manager.registerInstance(InjectionSymbols.StorageService, new MemoryStorage()),
      },
      kms: new Kms.KeyManagementModule({ backends: [new MemoryKeys()] }),
      dids: new DidsModule({
        registrars: [new JwkDidRegistrar()],
        resolvers: [new JwkDidResolver(), new KeyDidResolver(), new OrgDidResolver(didRegistryUrl)],
      }),
      openid4vc: new OpenId4VcModule(),
    },
  })
  await agent.initialize()
  const { didState } = await agent.dids.create({
    method: 'jwk',
    options: { createKey: { type: { kty: 'OKP', crv: 'Ed25519' } } },
  })
  return { agent, didUrl: `${didState.did}#0` }
}

/** Glue: resolves DIDs of the ecosystem's registry, which Credo does not know. */
class OrgDidResolver {
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
