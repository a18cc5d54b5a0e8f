import { z } from 'zod'
import { zHeaders } from '../z-secret.ts'
import { zVerbWith } from './z-verb.ts'

const timeoutSeconds = z
  .number()
  .positive()
  .max(600)
  .optional()
  .describe('How long one verb may take. By default 30.')
  .meta({ example: '30' })

/** A wallet driven by verbs of its own. */
const zCommandAdapter = z.strictObject({
  type: z.literal('command').describe('Four verbs of your own, each a command or an HTTP call.'),
  'accept-offer': zVerbWith('link', 'pin')
    .describe('Accepts the offer {link}, with the PIN {pin} where there is one.')
    .meta({ example: 'node my-wallet.mjs accept {link} --pin {pin}' }),
  present: zVerbWith('link')
    .describe('Answers the request {link}.')
    .meta({ example: 'node my-wallet.mjs present {link}' }),
  list: zVerbWith()
    .optional()
    .describe('Prints the credentials of the wallet as a JSON list.')
    .meta({ example: 'node my-wallet.mjs list' }),
  reset: zVerbWith('curve')
    .optional()
    .describe('Makes another, empty wallet, with a key on {curve} where one is asked for.')
    .meta({ example: 'node my-wallet.mjs reset --curve {curve}' }),
  timeoutSeconds,
})

/** A wallet behind the wire of docs/wallet-over-http.md. */
const zHttpAdapter = z.strictObject({
  type: z.literal('http').describe('The four verbs over HTTP, as `testbed wallet serve` has them.'),
  url: z
    .url({ protocol: /^https?$/ })
    .describe('Address below which the verbs are.')
    .meta({ example: 'http://127.0.0.1:4100' }),
  headers: zHeaders.optional().describe('Headers to send with each verb.'),
  timeoutSeconds,
})

/** A wallet in a person's hand. */
const zPersonAdapter = z.strictObject({
  type: z
    .literal('person')
    .describe('A page with QR codes, and somebody who tells what the wallet did.'),
  timeoutSeconds: z
    .number()
    .positive()
    .max(3600)
    .optional()
    .describe('How long the kit waits for a person’s answer. By default 180.')
    .meta({ example: '180' }),
})

/** How a wallet under test is driven. */
export const zWalletAdapter = z.discriminatedUnion('type', [
  zCommandAdapter,
  zHttpAdapter,
  zPersonAdapter,
])

export type WalletAdapter = z.infer<typeof zWalletAdapter>
