import { z } from 'zod'
import { zVerbWith } from '../../targets/adapters/z-verb.ts'
import { zSecret } from '../../targets/target-members.ts'

/** Address of a service in a target, without a trailing slash. */
export const zServiceAddress = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !url.endsWith('/'), 'must not end in a slash')

/** The environment of a registry's DIDs. */
export const zRegistryEnvironment = z
  .enum(['pre', 'pro'])
  .default('pre')
  .describe('Prefix of its DIDs: did:org:uc-pre: (pre) or did:org:uc: (pro).')

/** Private key of an account, from the environment variable that the target names. */
export const zPrivateKey = (example: string) =>
  zSecret
    .describe('Private key of the account, as 0x and 64 hex digits.')
    .meta({ example, privateKey: true })

/** The chain node, which returns receipts. */
export const zChainNode = z.strictObject({
  rpcUrl: z
    .url({ protocol: /^https?$/ })
    .describe('JSON-RPC address of the chain node, which returns receipts.')
    .meta({ example: 'https://chain.example/rpc' }),
})

/** An account that may register DIDs. */
export const zOnboardingNode = z
  .strictObject({ privateKey: zPrivateKey('$ONBOARDING_NODE_KEY') })
  .optional()
  .describe(
    'An account that may register DIDs. Without it, checks that need a new DID are inconclusive.',
  )

/**
 * The verbs that pause and resume a chain, for checks on transactions that are not mined yet, and
 * that disconnect the registry from it.
 */
export const chainVerbs = {
  'hold-mining': zVerbWith().optional().describe('Stops mining.'),
  mine: zVerbWith().optional().describe('Mines pending transactions and resumes mining.'),
  'stop-chain': zVerbWith().optional().describe('Disconnects the registry from its chain.'),
  'start-chain': zVerbWith()
    .optional()
    .describe('Reconnects it, and ends when the registry responds again.'),
}
