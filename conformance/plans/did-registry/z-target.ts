import { z } from 'zod'
import { targetMembers } from '../../targets/target-members.ts'
import {
  chainVerbs,
  zChainNode,
  zOnboardingNode,
  zRegistryEnvironment,
  zServiceAddress,
} from '../registries/z-target-members.ts'

// The kit has no server here: it is the client of a registry.
const { kit: _, ...members } = targetMembers('did-registry')

/** A third-party DID registry; the kit is its client, with keys. */
export const zDidRegistryTarget = z.strictObject({
  ...members,
  baseUrl: zServiceAddress
    .describe('Address of the registry, without /api/v1.')
    .meta({ example: 'https://did-registry.example' }),
  environment: zRegistryEnvironment,
  onboardingNode: zOnboardingNode,
  chain: zChainNode.optional().describe('For a chain that is slower than the registry waits.'),
  adapter: z
    .strictObject(chainVerbs)
    .optional()
    .describe('How the kit pauses and disconnects the underlying chain.'),
})

export type DidRegistryTarget = z.infer<typeof zDidRegistryTarget>
