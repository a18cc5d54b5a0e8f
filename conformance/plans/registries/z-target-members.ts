import { z } from 'zod'
import { type Signer, signerOf } from '#core/ethereum/account.ts'
import { zVerbWith } from '../../targets/adapters/z-verb.ts'
import { invalidTarget } from '../../targets/errors.ts'
import { zSecret } from '../../targets/target-members.ts'

/** Address of a service in a target, without a trailing slash. */
export const zServiceAddress = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !url.endsWith('/'), 'must not end in a slash')

/** Which DIDs a registry holds. */
export const zRegistryEnvironment = z
  .enum(['pre', 'pro'])
  .default('pre')
  .describe('Prefix of its DIDs: did:org:uc-pre: (pre) or did:org:uc: (pro).')

/** Private key of an account, from the environment variable that the target names. */
export const zPrivateKey = (example: string) =>
  zSecret.describe('Private key of the account, as 0x and 64 hex digits.').meta({ example })

/** Where receipts are. */
export const zChainNode = z.strictObject({
  rpcUrl: z
    .url({ protocol: /^https?$/ })
    .describe('JSON-RPC address of the chain node, where receipts are.')
    .meta({ example: 'https://chain.example/rpc' }),
})

/** An account that may register DIDs. */
export const zOnboardingNode = z
  .strictObject({ privateKey: zPrivateKey('$ONBOARDING_NODE_KEY') })
  .optional()
  .describe('An account that may register DIDs; what needs a new DID is not decided without it.')

/** The verbs by which the kit holds a chain: for what is sent and not mined yet. */
export const miningVerbs = {
  'hold-mining': zVerbWith().optional().describe('From now on no transaction is mined.'),
  mine: zVerbWith().optional().describe('Mines what waits, and from now on whatever comes.'),
}

/**
 * The account of a private key that a target names.
 * @param member where the target has it: `operator.privateKey`
 * @throws TestbedError `invalid_target`, which does not tell the key
 */
export function requireSigner(privateKey: string, member: string): Signer {
  try {
    return signerOf(privateKey)
  } catch {
    const hint = 'It is 0x and 64 hex digits, of the curve secp256k1.'
    throw invalidTarget(`${member} is no private key.`, [hint])
  }
}
