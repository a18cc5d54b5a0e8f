import { EventEmitter } from 'node:events'
import {
  Agent,
  DidsModule,
  InjectionSymbols,
  JwkDidRegistrar,
  JwkDidResolver,
  KeyDidResolver,
  Kms,
} from '@credo-ts/core'
import { OpenId4VcModule } from '@credo-ts/openid4vc'
import { fetchWithTokenEndpoint } from '../fetch-with-token-endpoint.ts'
import { MemoryKeys } from './memory-keys.mjs'
import { MemoryStorage } from './memory-storage.mjs'
import { OrgDidResolver } from './org-did-resolver.mjs'

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
