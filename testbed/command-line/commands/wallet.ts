import type { Command } from 'commander'
import { addAcceptCommand } from '../wallet/accept-command.ts'
import { addCreateCommand } from '../wallet/create-command.ts'
import { addFaultsCommand } from '../wallet/faults-command.ts'
import { addListCommand } from '../wallet/list-command.ts'
import { addPresentCommand } from '../wallet/present-command.ts'
import { addQrCommand } from '../wallet/qr-command.ts'
import { addRemoveCommand } from '../wallet/remove-command.ts'
import { addServeCommand } from '../wallet/serve-command.ts'
import { addShowCommand } from '../wallet/show-command.ts'

export const summary = 'keep a wallet: accept credential offers, present credentials'

/** `testbed wallet …`: a named wallet kept in the data folder (interfaces, section 2). */
export function configure(command: Command): void {
  addCreateCommand(command)
  addListCommand(command)
  addAcceptCommand(command)
  addPresentCommand(command)
  addShowCommand(command)
  addQrCommand(command)
  addRemoveCommand(command)
  addServeCommand(command)
  addFaultsCommand(command)
}
