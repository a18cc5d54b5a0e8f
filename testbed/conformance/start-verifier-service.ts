import type { OpenTrustWorld } from '#conformance/world/open-trust-world.ts'
import { privateKeyHexOf } from '#core/crypto/jwk.ts'
import type { Runtime } from '#kit/runtime.ts'
import { randomToken } from '#kit/secrets.ts'
import { createVerifierService } from '#services/verifier/create-verifier-service.ts'
import { listen } from '#testbed/process/listen.ts'

/** What the verifier needs of the kit: its registries, and a registered DID. */
export interface VerifierWorld extends Pick<OpenTrustWorld, 'addresses'> {
  readonly world: Pick<OpenTrustWorld['world'], 'createParty'>
}

/** The testbed's verifier, configured with the kit's registries and root of trust. */
export interface VerifierServiceInWorld {
  readonly baseUrl: string
  readonly did: string
  /** The x-api-key of its sessions. */
  readonly apiKey: string
  close(): Promise<void>
}

/**
 * Starts the verifier in this process on a free loopback port, configured for the kit's registries
 * as a third-party system would be.
 */
export async function startVerifierService(
  { world, addresses }: VerifierWorld,
  idp: { readonly url: string; readonly apiKey: string },
  runtime: Runtime,
): Promise<VerifierServiceInWorld> {
  const listener = await listen('127.0.0.1', 0, 'the verifier')
  const baseUrl = `http://127.0.0.1:${listener.port}`
  const apiKey = randomToken()
  const party = world.createParty('verifier')
  const [did = '', verifierVMethodId = ''] = party.kid.split('#')
  const service = await createVerifierService(
    {
      baseUrl,
      environment: addresses.environment,
      apiKeys: [apiKey],
      idpUrl: idp.url,
      idpApiKey: idp.apiKey,
      didRegistryBaseUrl: addresses.didRegistryBaseUrl,
      tirBaseUrl: addresses.tirBaseUrl,
      rootDids: [addresses.rootDid],
      credentialIssuerUrls: [addresses.credentialIssuerUrl],
      verifierDid: did,
      verifierVMethodId,
      verifierPrivateKey: privateKeyHexOf(party.privateKey),
      // One claim more than the rules of a credential require.
      requestedClaims: ['mandate', 'mandate.mandatee.email'].map(
        (path) => `$.vc.credentialSubject.${path}`,
      ),
      // Short enough for a system that does not answer; long enough for a busy machine.
      lookupTimeoutMilliseconds: 2000,
      reportRetryMilliseconds: 10,
    },
    runtime,
  )
  listener.serve(service.app)
  return {
    baseUrl,
    did,
    apiKey,
    async close() {
      await listener.close()
      await service.close()
    },
  }
}
