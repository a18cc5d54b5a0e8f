import { z } from 'zod'
import { zVerbWith } from '../../targets/adapters/z-verb.ts'
import { targetMembers, zSecret } from '../../targets/target-members.ts'
import {
  miningVerbs,
  zChainNode,
  zOnboardingNode,
  zPrivateKey,
  zRegistryEnvironment,
  zServiceAddress,
} from '../registries/z-target-members.ts'

// Nothing of the kit listens: it is the client of a registry.
const { kit: _, ...members } = targetMembers('tir')

/** A trusted issuers registry that somebody else wrote; the kit is its client, with keys. */
export const zTirTarget = z.strictObject({
  ...members,
  baseUrl: zServiceAddress
    .describe('Address of the TIR, with the path /trusted-issuers-registry.')
    .meta({ example: 'https://tir.example/trusted-issuers-registry' }),
  didRegistryBaseUrl: zServiceAddress
    .describe('Address of the DID registry beside it, without /api/v1.')
    .meta({ example: 'https://did-registry.example' }),
  environment: zRegistryEnvironment,
  apiKey: zSecret
    .describe('Key of the JSON-RPC endpoint, sent as x-api-key.')
    .meta({ example: '$TIR_API_KEY' }),
  chain: zChainNode.describe('The chain below: a TIR tells no receipts.'),
  onboardingNode: zOnboardingNode,
  operator: z
    .strictObject({ privateKey: zPrivateKey('$OPERATOR_KEY') })
    .optional()
    .describe('The account that may publish ROOT_TAO.'),
  accreditor: z
    .strictObject({
      did: z.string().startsWith('did:').meta({ example: 'did:org:uc-pre:z1…' }),
      attributeId: z
        .string()
        .regex(/^[0-9a-f]{64}$/i, 'must be 64 hex digits without 0x')
        .describe('Its own accreditation, without 0x.')
        .meta({ example: '6f'.repeat(32) }),
      privateKey: zPrivateKey('$TAO_KEY'),
    })
    .optional()
    .describe('A TAO that the kit may act for, where the operator’s key is not to be had.'),
  adapter: z
    .strictObject({
      ...miningVerbs,
      'stop-chain': zVerbWith().optional().describe('Cuts the TIR off from its chain.'),
      'start-chain': zVerbWith().optional().describe('Puts it back.'),
    })
    .optional()
    .describe('How the kit holds the chain below, and takes it away.'),
})

export type TirTarget = z.infer<typeof zTirTarget>
