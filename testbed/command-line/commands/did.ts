import type { Command } from 'commander'
import { addCreateCommand } from '../did/create-command.ts'
import { addKeysCommand } from '../did/keys-command.ts'
import { addRegisterCommand } from '../did/register-command.ts'
import { addResolveCommand } from '../did/resolve-command.ts'
import { addSendCommand } from '../did/send-command.ts'
import { addSignCommand } from '../did/sign-command.ts'

export const summary = 'make a DID and its proof, sign offline, register, resolve'

/** `testbed did …`: the DID generation tool and its offline signing (interfaces, section 2). */
export function configure(command: Command): void {
  addKeysCommand(command)
  addCreateCommand(command)
  addSignCommand(command)
  addSendCommand(command)
  addRegisterCommand(command)
  addResolveCommand(command)
}
