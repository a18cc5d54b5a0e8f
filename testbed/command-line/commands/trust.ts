import type { Command } from 'commander'
import { addPublishCommand } from '../trust/publish-command.ts'
import { addRevokeCommand } from '../trust/revoke-command.ts'
import { addShowCommand } from '../trust/show-command.ts'

export const summary = 'publish, revoke and follow accreditations in a TIR'

/** `testbed trust …`: what operators and TAOs do with accreditations. */
export function configure(command: Command): void {
  addPublishCommand(command)
  addRevokeCommand(command)
  addShowCommand(command)
}
