import { z } from 'zod'
import { zVerbWith } from '../../adapters/z-verb.ts'
import { zSecret } from '../../targets/z-secret.ts'

const zAddress = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/$/, ''))

const zPrivateKey = zSecret.describe('Private key of the account, as 0x-hex.')

/** A trusted issuers registry that somebody else wrote. */
export const zTirTarget = z.strictObject({
  plan: z.literal('tir'),
  name: z.string().min(1).describe('What the report calls it.').meta({ example: 'My TIR' }),
  description: z.string().optional(),
  baseUrl: zAddress
    .describe('Address of the TIR, with the path /trusted-issuers-registry.')
    .meta({ example: 'https://tir.example/trusted-issuers-registry' }),
  didRegistryBaseUrl: zAddress
    .describe('Address of the DID registry beside it, without /api/v1.')
    .meta({ example: 'https://did-registry.example' }),
  environment: z
    .enum(['pre', 'pro'])
    .default('pre')
    .describe('Prefix of its DIDs: did:org:uc-pre: (pre) or did:org:uc: (pro).'),
  apiKey: zSecret
    .describe('Key of the JSON-RPC endpoint, sent as x-api-key.')
    .meta({ example: '$TIR_API_KEY' }),
  chain: z.strictObject({
    rpcUrl: z
      .url({ protocol: /^https?$/ })
      .describe('JSON-RPC address of the chain node: receipts are there alone.')
      .meta({ example: 'https://chain.example/rpc' }),
  }),
  onboardingNode: z
    .strictObject({ privateKey: zPrivateKey.meta({ example: '$ONBOARDING_NODE_KEY' }) })
    .optional()
    .describe('An account that may register DIDs.'),
  operator: z
    .strictObject({ privateKey: zPrivateKey.meta({ example: '$OPERATOR_KEY' }) })
    .optional()
    .describe('The account that may publish ROOT_TAO.'),
  accreditor: z
    .strictObject({
      did: z.string(),
      attributeId: z
        .string()
        .regex(/^[0-9a-f]{64}$/i, 'must be 64 hex digits without 0x')
        .describe('Its own accreditation, without 0x.'),
      privateKey: zPrivateKey.meta({ example: '$TAO_KEY' }),
    })
    .optional()
    .describe('A TAO that the kit may act for, where the operator’s key is not to be had.'),
  verbs: z
    .strictObject({
      'hold-mining': zVerbWith().optional().describe('From now on no transaction is mined.'),
      mine: zVerbWith().optional().describe('Mines what waits, and from now on whatever comes.'),
      'stop-chain': zVerbWith().optional().describe('Cuts the TIR off from its chain.'),
      'start-chain': zVerbWith().optional().describe('Puts it back.'),
    })
    .optional()
    .describe('How the kit holds the chain below the TIR, and takes it away.'),
})

export type TirTarget = z.infer<typeof zTirTarget>
