import { Argument, type Command } from 'commander'
import { planNames } from '#conformance/kit/define-check.ts'
import type { ConformanceOptions } from '../conformance/run-conformance.ts'

export const summary = 'check a wallet, verifier, issuer, IDP or registry that somebody else wrote'

export function configure(command: Command): void {
  command
    .addArgument(new Argument('<plan>', 'what it is').choices([...planNames]))
    .argument('[pattern]', 'regular expression on ids and names of checks; by default all')
    .option('--target <file>', "YAML file about the system, or self: the testbed's own part")
    .option('--strict', 'checks that no document demands may fail too, and so may undecided ones')
    .option('--report <dir>', 'folder for the reports', 'reports/conformance')
    .option('--compare <results>', 'an earlier run; the reports tell what changed since')
    .option('--sign <key>', 'JWK or PEM file; writes result.jws, to be shown to others')
    .option('--key-id <id>', 'kid of the signature; by default the did:key of the key')
    .option('--list', 'show what the plan checks, without running it')
    .option('--example', 'print a target file to begin with')
    .action(async (plan, pattern: string | undefined, options: ConformanceOptions) => {
      const { runConformance } = await import('../conformance/run-conformance.ts')
      await runConformance(plan, pattern, options)
    })
}
