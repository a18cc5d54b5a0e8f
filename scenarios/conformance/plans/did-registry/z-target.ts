import { z } from 'zod'
import { zVerbWith } from '../../adapters/z-verb.ts'
import { zSecret } from '../../targets/z-secret.ts'

const zAddressOfService = z
  .url({ protocol: /^https?$/ })
  .transform((url) => url.replace(/\/$/, ''))
  .describe('Address of the service, without /api/v1.')
  .meta({ example: 'https://did-registry.example' })

/** The verbs by which the kit holds a chain: for what is sent and not mined yet. */
export const zMiningVerbs = z
  .strictObject({
    'hold-mining': zVerbWith().describe('From now on no transaction is mined.'),
    mine: zVerbWith().describe('Mines what waits, and from now on whatever comes.'),
  })
  .describe('How the kit holds the chain below the registry.')

/** A DID registry that somebody else wrote. */
export const zDidRegistryTarget = z.strictObject({
  plan: z.literal('did-registry'),
  name: z
    .string()
    .min(1)
    .describe('What the report calls it.')
    .meta({ example: 'My DID registry' }),
  description: z.string().optional(),
  baseUrl: zAddressOfService,
  environment: z
    .enum(['pre', 'pro'])
    .default('pre')
    .describe('Prefix of its DIDs: did:org:uc-pre: (pre) or did:org:uc: (pro).'),
  chain: z
    .strictObject({
      rpcUrl: z
        .url({ protocol: /^https?$/ })
        .describe('JSON-RPC address of the chain node; for a chain slower than the registry waits.')
        .meta({ example: 'https://chain.example/rpc' }),
    })
    .optional(),
  onboardingNode: z
    .strictObject({
      privateKey: zSecret.describe('Key of an account that may register DIDs, as 0x-hex.').meta({
        example: '$ONBOARDING_NODE_KEY',
      }),
    })
    .optional()
    .describe('Without it nothing that needs a registered DID is decided.'),
  verbs: zMiningVerbs.optional(),
})

export type DidRegistryTarget = z.infer<typeof zDidRegistryTarget>
