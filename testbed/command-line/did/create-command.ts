import type { Command } from 'commander'
import { type DidEnvironment, didPrefixes } from '#core/did/did-org.ts'
import { createDid } from '#core/did/did-proof.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'
import { addKeyOptions, type KeyOptions, requireKey } from '../registries/key-options.ts'
import { environmentOption } from '../registries/registry-options.ts'
import { print, printJson, say } from '../terminal/print.ts'

interface CreateOptions extends KeyOptions {
  readonly json?: boolean
  readonly env: DidEnvironment
}

/**
 * `testbed did create`: the DID that a key stands for, with its proof. Registers nothing.
 *
 * @assumption A-01
 */
export function addCreateCommand(parent: Command): void {
  addKeyOptions(parent.command('create'), 'the private key')
    .description('make the DID of a key, and the proof that registers it')
    .addOption(environmentOption().default('pre'))
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>()
      const { privateKey } = await requireKey(options, 'the key')
      const created = createDid(privateKey, options.env)
      if (options.json) return printJson(created)
      for (const [name, value] of Object.entries(created)) print(`${name}: ${value}`)
      say(
        `A DID of ${didPrefixes[options.env]}; ${programCommand} did register puts it on the chain.`,
      )
    })
}
