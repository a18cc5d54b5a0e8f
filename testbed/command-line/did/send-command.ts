import type { Command } from 'commander'
import { z } from 'zod'
import { programCommand } from '#scenarios/harness/command-line.ts'
import { settleTransaction } from '../../registries/write-did.ts'
import { findRegistries } from '../registries/find-registries.ts'
import { readInput } from '../registries/read-input.ts'
import { addRegistryOptions, type RegistryOptions } from '../registries/registry-options.ts'
import { wrongUsage } from '../registries/wrong-usage.ts'
import { print, printJson, say } from '../terminal/print.ts'
import { explainRefusal } from '../wallet/explain-refusal.ts'

const zSigned = z.looseObject({ signedRawTransaction: z.string() })

/** `testbed did send`: hands a transaction that was signed elsewhere to the DID registry. */
export function addSendCommand(parent: Command): void {
  addRegistryOptions(parent.command('send'), ['didRegistry', 'chainRpc'])
    .description('send a signed transaction to the DID registry; prints its hash')
    .argument('<file>', 'what did sign has printed; - for stdin')
    .action(async (file: string, _, command: Command) => {
      const options = command.optsWithGlobals<RegistryOptions>()
      const raw = await readRaw(file)
      const registries = await findRegistries(options)
      const didRegistry = registries.didRegistry()
      const hash = await explainRefusal(async () => {
        const sent = await didRegistry.send(raw)
        if (sent.state === 'pending') say(`${sent.hash} is sent; waiting for its receipt.`)
        const chain = registries.chainIfKnown()
        return settleTransaction({ didRegistry, chain }, 'the transaction', sent)
      })
      if (options.json) return printJson({ hash, state: 'applied' })
      print(hash)
    })
}

async function readRaw(file: string): Promise<string> {
  const content = (await readInput(file, 'the signed transaction')).trim()
  const raw = content.startsWith('{') ? parseSigned(content) : content
  if (raw !== undefined && /^0x[0-9a-fA-F]+$/.test(raw)) return raw
  throw wrongUsage('This is no signed transaction.', [
    `It is what ${programCommand} did sign prints.`,
  ])
}

function parseSigned(content: string): string | undefined {
  try {
    return zSigned.parse(JSON.parse(content)).signedRawTransaction
  } catch {
    return undefined
  }
}
