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

const preAuthorizedCode = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

/** The verbs of the wallet; each one is what Credo's holder API does. */
export function createVerbs({ didRegistryUrl }) {
  let current = createAgent({ didRegistryUrl })
  return {
    async 'accept-offer'({ link, pin }) {
      const { agent, didUrl } = await current
      const { holder } = agent.openid4vc
      const resolvedCredentialOffer = await holder.resolveCredentialOffer(link)
      const { credentialOfferPayload: offer } = resolvedCredentialOffer
      const token = await holder.requestToken({
        resolvedCredentialOffer,
        ...(offer.grants?.[preAuthorizedCode]?.tx_code && { txCode: pin }),
      })
      const { credentials } = await holder.requestCredentials({
        resolvedCredentialOffer,
        ...token,
        // Becomes `iss` of the proof, which the profile wants to be the holder's DID.
        clientId: didUrl.split('#')[0],
        credentialBindingResolver: () => ({ method: 'did', didUrls: [didUrl] }),
      })
      for (const { record } of credentials) await storesOf(agent, record).store({ record })
      return { credentials: credentials.map(({ record }) => record.firstCredential.encoded) }
    },

    async present({ link }) {
      const { agent } = await current
      const { holder } = agent.openid4vc
      const { authorizationRequestPayload, dcql } =
        await holder.resolveOpenId4VpAuthorizationRequest(link)
      const { redirectUri, serverResponse } = await holder.acceptOpenId4VpAuthorizationRequest({
        authorizationRequestPayload,
        dcql: { credentials: holder.selectCredentialsForDcqlRequest(dcql.queryResult) },
      })
      if (serverResponse.status >= 300) throw new Error(`the verifier: ${serverResponse.status}`)
      return { redirect_uri: redirectUri }
    },

    async list() {
      const { agent } = await current
      const records = [
        ...(await agent.w3cCredentials.getAll()),
        ...(await agent.w3cV2Credentials.getAll()),
      ]
      return { credentials: records.map((record) => record.firstCredential.encoded) }
    },

    async reset() {
      current = createAgent({ didRegistryUrl })
      await current
      return {}
    },
  }
}

const storesOf = (agent, { type }) =>
  type === 'W3cV2CredentialRecord' ? agent.w3cV2Credentials : agent.w3cCredentials

/** Credo asks for a file system and for web sockets, and uses neither here. */
class Unused {}

/** A holder's agent with keys and records in memory; its DID is a new did:jwk. */
async function createAgent({ didRegistryUrl }) {
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
