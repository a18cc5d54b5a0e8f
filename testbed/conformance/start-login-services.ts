import { randomBytes } from 'node:crypto'
import { privateKeyHexOf } from '#core/crypto/create-private-jwk.ts'
import { createLog } from '#kit/log.ts'
import { createRuntime, type Runtime, type Service } from '#kit/runtime.ts'
import type { OpenTrustWorld } from '#scenarios/conformance/world/open-trust-world.ts'
import { zIdpConfig } from '#services/idp/config.ts'
import { createIdpService } from '#services/idp/create-idp-service.ts'
import { zVerifierConfig } from '#services/verifier/config.ts'
import { createVerifierService } from '#services/verifier/create-verifier-service.ts'
import { listen } from '../listen.ts'

/** A relying party that is registered at the IDP. */
export interface RegisteredParty {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
}

/** The testbed's verifier and IDP, with the kit's trust world behind them. */
export interface LoginServices {
  readonly verifierBaseUrl: string
  readonly verifierDid: string
  /** The x-api-key of the verifier's sessions. */
  readonly verifierApiKey: string
  readonly idpBaseUrl: string
  readonly client: RegisteredParty
  readonly secondClient: RegisteredParty
  close(): Promise<void>
}

const createSecret = () => randomBytes(24).toString('base64url')

/** Nothing listens at the redirect URI: a browser of the kit stops before it. */
const createParty = (clientId: string): RegisteredParty => ({
  clientId,
  clientSecret: createSecret(),
  redirectUri: `http://127.0.0.1:9/${clientId}`,
})

/**
 * Starts verifier and IDP in this process, each on a free port of the loopback, configured for a
 * trust world as somebody else would configure theirs.
 */
export async function startLoginServices(
  { world, addresses }: OpenTrustWorld,
  runtime: Runtime = createRuntime({ log: createLog({ level: 'silent' }) }),
): Promise<LoginServices> {
  const [verifierListener, idpListener] = await Promise.all([
    listen('127.0.0.1', 0, 'the verifier'),
    listen('127.0.0.1', 0, 'the IDP'),
  ])
  const verifierBaseUrl = `http://127.0.0.1:${verifierListener.port}`
  const idpBaseUrl = `http://127.0.0.1:${idpListener.port}`
  const [verifierApiKey, idpApiKey] = [createSecret(), createSecret()]
  const party = world.createParty('verifier')
  const [verifierDid = '', verifierVMethodId = ''] = party.kid.split('#')
  const [client, secondClient] = [createParty('relying-party'), createParty('second-party')]
  const services: Service[] = []
  services.push(
    await createVerifierService(
      zVerifierConfig.parse({
        baseUrl: verifierBaseUrl,
        environment: addresses.environment,
        apiKeys: [verifierApiKey],
        idpUrl: idpBaseUrl,
        idpApiKey,
        didRegistryBaseUrl: addresses.didRegistryBaseUrl,
        tirBaseUrl: addresses.tirBaseUrl,
        rootDids: [addresses.rootDid],
        credentialIssuerUrls: [addresses.credentialIssuerUrl],
        verifierDid,
        verifierVMethodId,
        verifierPrivateKey: privateKeyHexOf(party.privateKey),
        lookupTimeoutMilliseconds: 300,
        reportRetryMilliseconds: 10,
      }),
      runtime,
    ),
  )
  services.push(
    await createIdpService(
      zIdpConfig.parse({
        baseUrl: idpBaseUrl,
        verifierUrl: verifierBaseUrl,
        verifierApiKey,
        apiKeys: [idpApiKey],
        cookieKeys: [createSecret()],
        clients: [client, secondClient].map(({ redirectUri, ...each }) => ({
          ...each,
          redirectUris: [redirectUri],
        })),
      }),
      runtime,
    ),
  )
  const [verifier, idp] = services as [Service, Service]
  verifierListener.serve(verifier.app)
  idpListener.serve(idp.app)
  return {
    verifierBaseUrl,
    verifierDid,
    verifierApiKey,
    idpBaseUrl,
    client,
    secondClient,
    async close() {
      await Promise.all([idpListener.close(), verifierListener.close()])
      for (const service of services.reverse()) await service.close()
    },
  }
}
