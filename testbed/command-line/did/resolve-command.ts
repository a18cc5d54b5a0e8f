import type { Command } from 'commander'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'
import { describeDocument } from '../registries/describe-document.ts'
import { findRegistries } from '../registries/find-registries.ts'
import { instantOf } from '../registries/instant-of.ts'
import { addRegistryOptions, type RegistryOptions } from '../registries/registry-options.ts'
import { plainText, print, printJson } from '../terminal/print.ts'
import { explainRefusal } from '../wallet/explain-refusal.ts'

interface ResolveOptions extends RegistryOptions {
  readonly validAt?: number
}

/** `testbed did resolve`: a DID document, now or as it was at an instant. */
export function addResolveCommand(parent: Command): void {
  addRegistryOptions(parent.command('resolve'), ['didRegistry'])
    .description('show the DID document of a DID')
    .argument('<did>', 'the DID')
    .option('--valid-at <time>', 'the state at that time: Unix seconds or ISO 8601', instantOf)
    .action(async (did: string, _, command: Command) => {
      const options = command.optsWithGlobals<ResolveOptions>()
      const registry = (await findRegistries(options, did)).didRegistry()
      const document = await explainRefusal(() => registry.resolve(did, options.validAt))
      if (document === undefined) {
        const when = options.validAt === undefined ? '' : ' at that time'
        throw new TestbedError({
          code: 'not_registered',
          status: 404,
          message: `The registry does not know ${did}${when}.`,
          hints: [
            `${programCommand} did register puts a DID on the chain.`,
            // Anything may answer 404 at an address that is none of a registry's.
            ...(options.didRegistry
              ? [`Is ${options.didRegistry} the DID registry's address?`]
              : []),
          ],
        })
      }
      if (options.json) return printJson(document)
      for (const line of describeDocument(document)) print(plainText(line))
    })
}
