import { randomBytes } from 'node:crypto'
import type { OpenTrustWorld } from '#conformance/world/open-trust-world.ts'
import { createLog } from '#kit/log.ts'
import { createRuntime, type Runtime } from '#kit/runtime.ts'
import { zIdpConfig } from '#services/idp/config.ts'
import { createIdpService } from '#services/idp/create-idp-service.ts'
import { listen } from '../process/listen.ts'
import { startVerifierService } from './start-verifier-service.ts'

/** A relying party that is registered at the IDP. */
interface RegisteredParty {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
}

/** The testbed's verifier and IDP, configured with the kit's registries and root of trust. */
export interface LoginServices {
  readonly idpBaseUrl: string
  readonly client: RegisteredParty
  readonly secondClient: RegisteredParty
  close(): Promise<void>
}

const createSecret = () => randomBytes(24).toString('base64url')

/** No server listens at the redirect URI: a browser of the kit stops before it. */
const createParty = (clientId: string): RegisteredParty => ({
  clientId,
  clientSecret: createSecret(),
  redirectUri: `http://127.0.0.1:9/${clientId}`,
})

/**
 * Starts verifier and IDP in this process, each on a free loopback port, configured for the kit's
 * registries as a third-party system would be.
 */
export async function startLoginServices(
  trust: OpenTrustWorld,
  runtime: Runtime = createRuntime({ log: createLog({ level: 'silent' }) }),
): Promise<LoginServices> {
  const listener = await listen('127.0.0.1', 0, 'the IDP')
  const idpBaseUrl = `http://127.0.0.1:${listener.port}`
  const apiKey = createSecret()
  const [client, secondClient] = [createParty('relying-party'), createParty('second-party')]
  const verifier = await startVerifierService(trust, { url: idpBaseUrl, apiKey }, runtime)
  const idp = await createIdpService(
    zIdpConfig.parse({
      baseUrl: idpBaseUrl,
      verifierUrl: verifier.baseUrl,
      verifierApiKey: verifier.apiKey,
      apiKeys: [apiKey],
      cookieKeys: [createSecret()],
      clients: [client, secondClient].map(({ redirectUri, ...each }) => ({
        ...each,
        redirectUris: [redirectUri],
      })),
    }),
    runtime,
  )
  listener.serve(idp.app)
  return {
    idpBaseUrl,
    client,
    secondClient,
    async close() {
      await listener.close()
      await idp.close()
      await verifier.close()
    },
  }
}
