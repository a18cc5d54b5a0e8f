import { z } from 'zod'
import { zVerbWith } from '../../targets/adapters/z-verb.ts'
import { targetMembers, zSecret } from '../../targets/target-members.ts'
import {
  chainVerbs,
  zChainNode,
  zOnboardingNode,
  zPrivateKey,
  zRegistryEnvironment,
  zServiceAddress,
} from '../registries/z-target-members.ts'

// The kit has no server here: it is the client of a registry.
const { kit: _, ...members } = targetMembers('tir')

/** A third-party trusted issuers registry; the kit is its client, with keys. */
export const zTirTarget = z.strictObject({
  ...members,
  baseUrl: zServiceAddress
    .describe('Address of the TIR, with the path /trusted-issuers-registry.')
    .meta({ example: 'https://tir.example/trusted-issuers-registry' }),
  didRegistryBaseUrl: zServiceAddress
    .describe('Address of the DID registry that it uses, without /api/v1.')
    .meta({ example: 'https://did-registry.example' }),
  environment: zRegistryEnvironment,
  apiKey: zSecret
    .describe('Key of the JSON-RPC endpoint, sent as x-api-key.')
    .meta({ example: '$TIR_API_KEY' }),
  chain: zChainNode.describe('The underlying chain: a TIR has no interface for receipts.'),
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
        .describe('The attributeId of its accreditation, without 0x.')
        .meta({ example: '6f'.repeat(32) }),
      privateKey: zPrivateKey('$TAO_KEY'),
    })
    .optional()
    .describe('A TAO that the kit may act for, if the operator’s key is not available.'),
  adapter: z
    .strictObject({
      ...chainVerbs,
      'stop-api-keys': zVerbWith()
        .optional()
        .describe('Disconnects the TIR from the service that validates its API keys.'),
      'start-api-keys': zVerbWith()
        .optional()
        .describe('Reconnects it, and ends when the TIR accepts requests again.'),
    })
    .optional()
    .describe('How the kit pauses the underlying chain, and disconnects the TIR from services.'),
})

export type TirTarget = z.infer<typeof zTirTarget>
