import type { OpenPlanOptions } from '../kit/plan.ts'
import {
  type OpenTrustWorld,
  openTrustWorld,
  type TrustWorldAddresses,
} from '../world/open-trust-world.ts'
import { type KitServer, startKitServer } from '../world/start-kit-server.ts'
import { type StartedProgram, startProgram } from './adapters/programs.ts'
import { cannotListen } from './errors.ts'
import type { KitOptions, StartCommand } from './target-members.ts'

/** The addresses of the kit's registries, as environment variables for commands of a target. */
const kitEnvironment = (addresses: TrustWorldAddresses): Record<string, string> => ({
  TESTBED_DID_REGISTRY_URL: addresses.didRegistryBaseUrl,
  TESTBED_TIR_URL: addresses.tirBaseUrl,
  TESTBED_ROOT_DID: addresses.rootDid,
  TESTBED_CREDENTIAL_ISSUER_URL: addresses.credentialIssuerUrl,
  TESTBED_ENVIRONMENT: addresses.environment,
})

/** The parts of a target that specify the kit's addresses and its own program. */
export interface KitTarget {
  readonly kit?: KitOptions | undefined
  readonly start?: StartCommand | undefined
}

/** The kit as a target configures it: its server, its trust world, and the target's own program. */
export interface OpenKit {
  readonly server: KitServer
  readonly trust: OpenTrustWorld
  /** Additional options of the target's commands, for `callVerb` and `createWalletDriver`. */
  readonly environment: Readonly<Record<string, string>>
  /**
   * After each check: registries behave again; the output of the target's program becomes evidence.
   */
  settle(): void
  describeProgram(): Promise<string | undefined>
  close(): Promise<void>
}

/**
 * Starts the kit's server with its registries as a target specifies, then the target's own program.
 * @param caller name of the clients of the kit's server, in the evidence: `wallet under test`
 * @param serve mounts what the target's own program may request when it starts; returns variables
 * for its environment
 * @throws TestbedError `not_started` if the port is taken or the program does not get ready
 */
export async function openKit(
  { kit = {}, start }: KitTarget,
  caller: string,
  { exchanges, signal }: OpenPlanOptions,
  serve?: (server: KitServer) => Promise<Readonly<Record<string, string>>>,
): Promise<OpenKit> {
  const { seed = 'conformance-kit', ...address } = kit
  const server = await startKitServer({ exchanges, caller, ...address }).catch((cause) => {
    throw cannotListen(kit, cause)
  })
  const trust = openTrustWorld(server, { seed, now: Math.floor(Date.now() / 1000) })
  const environment = { ...kitEnvironment(trust.addresses), ...(await serve?.(server)) }
  let program: StartedProgram | undefined
  try {
    program = start && (await startProgram(start, { environment, signal }))
  } catch (error) {
    await server.close()
    throw error
  }
  return {
    server,
    trust,
    environment,
    settle() {
      trust.settle()
      const output = program?.takeOutput() ?? ''
      if (output === '') return
      exchanges.add({
        kind: 'command',
        from: caller,
        to: 'kit',
        method: 'WROTE',
        url: 'start',
        status: 0,
        durationMilliseconds: 0,
        responseBody: output,
      })
    },
    describeProgram: async () => program?.describeState(),
    async close() {
      await program?.stop()
      await server.close()
    },
  }
}
