import type { Command } from 'commander'
import { type OpenOptions, openConsolePage } from '../open-console.ts'

export const summary = 'open the tour: issue, log in, revoke'

export const examples = [['demo', 'the tour in the browser, step by step']] as const

export function configure(command: Command): void {
  command
    .option('--print', 'print the link instead of opening a browser')
    .option('--data <folder>', 'the data folder of the testbed', '.testbed')
    .action((options: OpenOptions) => openConsolePage('/tour', options))
}
