import { join } from 'node:path'
import type { Party } from '#conformance/world/create-trust-world.ts'
import { createLog } from '#kit/log.ts'
import { type Clock, createRuntime, systemClock } from '#kit/runtime.ts'
import { randomToken } from '#kit/secrets.ts'
import { createIdpService } from '#services/idp/create-idp-service.ts'
import { listen } from '#testbed/process/listen.ts'
import { type Child, startChild } from '#testbed/process/start-child.ts'
import { startVerifierService, type VerifierWorld } from './start-verifier-service.ts'

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
  /** `POST ?advance=SECONDS` moves the clock of the services ahead, `DELETE` resets it. */
  readonly clockUrl: string
  close(): Promise<void>
}

/** No server listens at the redirect URI: a browser of the kit stops before it. */
const createParty = (clientId: string): RegisteredParty => ({
  clientId,
  clientSecret: randomToken(),
  redirectUri: `http://127.0.0.1:9/${clientId}`,
})

/**
 * Starts verifier and IDP in this process, each on a free loopback port, configured for the kit's
 * registries as a third-party system would be.
 */
export async function startLoginServices(trust: VerifierWorld): Promise<LoginServices> {
  const { clock, listener: clockListener } = await startClock()
  const runtime = createRuntime({ log: createLog({ level: 'silent' }), clock })
  const listener = await listen('127.0.0.1', 0, 'the IDP')
  const idpBaseUrl = `http://127.0.0.1:${listener.port}`
  const apiKey = randomToken()
  const [client, secondClient] = [createParty('relying-party'), createParty('second-party')]
  const verifier = await startVerifierService(trust, { url: idpBaseUrl, apiKey }, runtime)
  const idp = await createIdpService(
    {
      baseUrl: idpBaseUrl,
      verifierUrl: verifier.baseUrl,
      verifierApiKey: verifier.apiKey,
      apiKeys: [apiKey],
      cookieKeys: [randomToken()],
      clients: [client, secondClient].map(({ redirectUri, ...each }) => ({
        ...each,
        redirectUris: [redirectUri],
      })),
    },
    runtime,
  )
  listener.serve(idp.app)
  return {
    idpBaseUrl,
    client,
    secondClient,
    clockUrl: `http://127.0.0.1:${clockListener.port}/`,
    async close() {
      await clockListener.close()
      await listener.close()
      await idp.close()
      await verifier.close()
    },
  }
}

/** Commands to the process of ./login-process.ts: the verifier's keys are secret. */
export type LoginCommand =
  | {
      readonly command: 'start'
      readonly addresses: VerifierWorld['addresses']
      readonly party: Party
    }
  | { readonly command: 'close' }

/** A clock that requests to a free loopback port move. */
async function startClock() {
  const listener = await listen('127.0.0.1', 0, 'the clock')
  let offset = 0
  listener.serve(({ method, url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://localhost')
    offset = method === 'DELETE' ? 0 : offset + Number(searchParams.get('advance'))
    response.end()
  })
  const clock: Clock = {
    seconds: () => systemClock.seconds() + offset,
    milliseconds: () => systemClock.milliseconds() + offset * 1000,
  }
  return { clock, listener }
}

/**
 * The same in a separate process, so that kit and services do not wait for each other's work.
 * @throws TestbedError `login_services_failed`
 */
export async function startLoginProcess({
  addresses,
  world,
}: VerifierWorld): Promise<LoginServices> {
  const child: Child<LoginCommand, null> = await startChild<LoginCommand, null>({
    module: join(import.meta.dirname, 'login-process'),
    argument: {},
    failureCode: 'login_services_failed',
    name: 'The process of verifier and IDP',
    hints: ['Run the plan again.'],
  })
  const party = world.createParty('verifier')
  const started = child.send({ command: 'start', addresses, party }).catch(async (error) => {
    await child.close()
    throw error
  })
  return { ...((await started) as Omit<LoginServices, 'close'>), close: child.close }
}
