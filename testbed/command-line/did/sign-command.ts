import type { Command } from 'commander'
import { z } from 'zod'
import { decodeCall } from '#core/contracts/decode-abi.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import {
  parseSignedTransaction,
  signTransaction,
  type UnsignedTransaction,
  zUnsignedTransaction,
} from '#core/ethereum/transaction.ts'
import { describeTransaction } from '../registries/describe-transaction.ts'
import { addKeyOptions, type KeyOptions, requireKey } from '../registries/key-options.ts'
import { readJsonInput } from '../registries/read-input.ts'
import { wrongUsage } from '../registries/wrong-usage.ts'
import { ask } from '../terminal/ask.ts'
import { print, printJson, say } from '../terminal/print.ts'

interface SignOptions extends KeyOptions {
  readonly json?: boolean
  readonly yes?: boolean
  readonly allowUnknown?: boolean
}

/** The transaction itself, or the JSON-RPC answer of the TIR that holds it. */
const zInput = z.union([
  zUnsignedTransaction,
  z.looseObject({ result: zUnsignedTransaction }).transform(({ result }) => result),
])

/** `testbed did sign`: signs without any network what a registry has built. */
export function addSignCommand(parent: Command): void {
  addKeyOptions(parent.command('sign'), 'the private key')
    .description('sign an unsigned transaction offline; prints the raw transaction')
    .argument('<file>', 'the unsigned transaction as JSON; - for stdin')
    .option('--yes', 'do not ask at a terminal')
    .option('--allow-unknown', 'sign call data that is of neither registry')
    .action(async (file: string, _, command: Command) => {
      const options = command.optsWithGlobals<SignOptions>()
      const unsignedTransaction = await readUnsigned(file)
      for (const line of describeTransaction(unsignedTransaction)) say(line)
      const signer = await requireKey(options, 'the key of from')
      // Refuses a key that is not that of from before anybody is asked.
      const { raw, r, s, v } = signTransaction(unsignedTransaction, signer.privateKey)
      requireKnown(unsignedTransaction, options)
      await confirm(options)
      if (!options.json) return print(raw)
      const parsed = parseSignedTransaction(raw)
      const hash = parsed.ok ? parsed.transaction.hash : undefined
      // The parameters of the TIR's sendSignedTransaction; the DID registry takes the last one alone.
      printJson({ protocol: 'eth', hash, unsignedTransaction, r, s, v, signedRawTransaction: raw })
    })
}

async function readUnsigned(file: string): Promise<UnsignedTransaction> {
  const parsed = zInput.safeParse(await readJsonInput(file, 'the unsigned transaction'))
  if (parsed.success) return parsed.data
  throw wrongUsage('This is no unsigned transaction.', [
    'It has to, data, gasLimit, gasPrice, chainId, nonce, value and from, all as 0x-hex.',
  ])
}

function requireKnown({ data }: UnsignedTransaction, { allowUnknown }: SignOptions): void {
  if (allowUnknown || decodeCall(data) !== undefined) return
  throw new TestbedError({
    code: 'unknown_call',
    status: 400,
    message: 'Nothing here knows what this transaction would do, so it is not signed.',
    hints: ['--allow-unknown signs it all the same, for example for a registry of other make.'],
  })
}

async function confirm({ yes }: SignOptions): Promise<void> {
  if (yes) return
  const answer = await ask('Sign this? [y/N] ')
  if (answer === undefined || /^y(es)?$/i.test(answer)) return
  throw new TestbedError({ code: 'declined', status: 400, message: 'Nothing was signed.' })
}
